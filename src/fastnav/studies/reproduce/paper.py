"""The paper's own figures on val_unseen, to stand beside ours: rates as fractions, lengths in metres.

Only those that are at hand: a figure that is not here is shown as a dash.
"""

from collections.abc import Mapping

Figures = Mapping[str, float]

#: Where the paper's agents walked.
PLACE = "R2R val_unseen"

#: Kinds of agents by the paper's names.
AGENTS = {"follower": "Speaker-Follower", "smna": "Self-Monitoring"}

#: Table 2, by kind of agent and search.
GREEDY_AND_FAST: Mapping[tuple[str, str], Figures] = {
    ("follower", "greedy"): {"TL": 15.32, "SR": 0.37, "SPL": 0.28},
    ("follower", "fast-short"): {"TL": 20.63, "SR": 0.43, "SPL": 0.29},
    ("smna", "greedy"): {"TL": 12.61, "NE": 5.48, "SR": 0.47, "SPL": 0.41},
    ("smna", "fast-short"): {"TL": 21.17, "NE": 4.97, "SR": 0.56, "SPL": 0.43},
}

#: Table 3, by local score; its agent is the Self-Monitoring one.
LOCAL_SCORES: Mapping[str, Figures] = {
    "mean-logit": {"SR": 0.539, "SPL": 0.447, "TL": 14.8},
    "mean-logp": {"SR": 0.539, "SPL": 0.441, "TL": 15.6},
    "sum-logit": {"SR": 0.567, "SPL": 0.436, "TL": 21.2},
    "sum-logp": {"SR": 0.562, "SPL": 0.427, "TL": 21.7},
    "mean-logit-times-progress": {"SR": 0.548, "SPL": 0.447, "TL": 15.9},
    "sum-logp-times-progress": {"SR": 0.562, "SPL": 0.432, "TL": 21.6},
}
