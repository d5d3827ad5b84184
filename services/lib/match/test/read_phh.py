"""Reads .phhs files with PokerKit and compares the final stacks of every hand with the file's.

usage: python3 -m venv /tmp/phh && /tmp/phh/bin/pip install pokerkit==0.7.7 && /tmp/phh/bin/python read_phh.py FILE...

Exits with 1 if a hand cannot be replayed or ends with other stacks. Odd chips of a split pot are counted apart: PokerKit
gives all of them to the first winner, this platform one to each winner in turn (TDA rule 20).
"""

import sys
import tomllib
import warnings
from pathlib import Path

from pokerkit import HandHistory

# PokerKit warns of a fold where a check is possible. A fault can be such a fold.
warnings.simplefilter("ignore")


def compare(hand):
    """Replays a hand. Returns '' for equal stacks, 'odd chips', or a description of the difference."""
    try:
        *_, state = HandHistory(**hand)
    except Exception as error:  # noqa: BLE001
        return str(error)
    if state.status:
        return "the hand is not over"
    differences = [ours - theirs for ours, theirs in zip(hand["finishing_stacks"], state.stacks)]
    if not any(differences):
        return ""
    if sum(differences) == 0 and max(map(abs, differences)) < len(differences):
        return "odd chips"
    return f"the stacks are {state.stacks}, not {hand['finishing_stacks']}"


def main(files):
    """Compares all hands of the files and prints a line for each file. Returns the exit code."""
    wrong = 0
    for file in files:
        hands = tomllib.loads(Path(file).read_text())
        outcomes = [(name, compare(hand)) for name, hand in hands.items()]
        odd = sum(outcome == "odd chips" for _, outcome in outcomes)
        failed = [(name, outcome) for name, outcome in outcomes if outcome not in ("", "odd chips")]
        print(f"{file}: {len(outcomes)} hands, {odd} with odd chips, {len(failed)} wrong")
        for name, outcome in failed:
            print(f"  hand {name}: {outcome}")
        wrong += len(failed)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
