"""Bad input thrown at the command line: `python -m tests.bad_input --cases 10000 --seed 1`."""

import os

# Networks are so small here that threads of torch would only wait for each other. Set before its import.
os.environ.setdefault("OMP_NUM_THREADS", "1")
