"""Bad input thrown at the command line: `python -m tests.bad_input --cases 10000 --seed 1`."""
