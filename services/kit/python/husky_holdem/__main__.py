"""`python -m husky_holdem`: the command line."""

from husky_holdem.cli import entry

if __name__ == "__main__":
    entry()
