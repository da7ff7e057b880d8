"""`python -m fastnav`: the `fastnav` command, for those who start it by a module's name, as torchrun does."""

from fastnav.cli import main

if __name__ == "__main__":
    main()
