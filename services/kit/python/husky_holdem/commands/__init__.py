"""The commands of `husky`, one module each (husky_holdem/command.py)."""
