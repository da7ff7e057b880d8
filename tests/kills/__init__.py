"""kill -9 at random moments, and what is left when the work went on: `python -m tests.kills`."""

import os

# As in tests/bad_input; besides, only with as many threads do trainings end with the same bytes.
os.environ.setdefault("OMP_NUM_THREADS", "1")
