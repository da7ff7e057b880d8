"""Cases about trained agents: those of any command, and spoilt checkpoints, scores, tables and options."""

from tests.bad_input.cases import COMMON, Subject, content
from tests.bad_input.tensors import spoil_array, spoil_tensors
from tests.bad_input.trained_commands import COMMANDS
from tests.bad_input.trained_options import odd_choice
from tests.bad_input.trained_tree import add_trained

TRAINED = Subject(
    COMMANDS,
    {
        **COMMON,
        "tensors": (36, content(spoil_tensors, ".safetensors")),
        "arrays": (24, content(spoil_array, ".npy")),
        "choices": (24, odd_choice),
    },
    add_trained,
)
