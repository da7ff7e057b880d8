"""Ways to say the same: the verbs of a walk, and what people put around them."""

TOWARD = (
    "walk toward", "go towards", "head for", "walk straight to", "go up to", "make your way to", "approach",
    "proceed toward", "move to", "walk over to",
)  # fmt: skip
PAST = ("walk past", "go past", "pass", "pass by", "continue past", "move past", "head past", "proceed past")
OUT_OF = ("exit", "leave", "walk out of", "go out of", "step out of", "get out of", "come out of")
STOP = ("stop", "wait", "stop", "stand", "wait there", "stay", "pause", "come to a stop", "halt", "end")
BESIDE = ("next to", "by", "beside", "near", "in front of", "right by", "close to", "adjacent to", "at")
OPENERS = (
    "okay, first {}", "from where you are, {}", "start off and {}", "to begin, {}", "alright, {}",
    "the first thing to do is {}", "start here and {}",
)  # fmt: skip
FILLERS = (
    "once you have done that, {}", "after that, {}", "now {}", "you will want to {}", "at this point {}",
    "next, {}", "when you get there, {}", "from there {}",
)  # fmt: skip
