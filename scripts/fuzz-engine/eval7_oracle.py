"""Ranks hands of seven cards by eval7 and compares their order with the engine's values.

Reads from standard input a line with the codes of the 52 cards, then records of nine bytes: seven card numbers and the engine's value
in two bytes, little-endian. Writes `{"hands", "values", "differences"}`.
"""

import json
import sys
from typing import Dict, List

import eval7

RECORD_BYTES = 9
MAX_DIFFERENCES = 5


def main() -> None:
    """Compares the hands of standard input."""
    stream = sys.stdin.buffer
    codes = stream.readline().decode().strip()
    names = [codes[index : index + 2] for index in range(0, len(codes), 2)]
    cards = [eval7.Card(name) for name in names]
    evaluate = eval7.evaluate
    known: Dict[int, int] = {}
    differences: List[str] = []
    hands = 0
    while batch := stream.read(RECORD_BYTES * 10_000):
        for at in range(0, len(batch), RECORD_BYTES):
            found = evaluate([cards[card] for card in batch[at : at + 7]])
            value = batch[at + 7] | batch[at + 8] << 8
            if known.setdefault(value, found) != found and len(differences) < MAX_DIFFERENCES:
                hand = "".join(names[card] for card in batch[at : at + 7])
                differences.append(f"{hand}: the engine gives it the value {value}, which eval7 splits into {known[value]} and {found}")
        hands += len(batch) // RECORD_BYTES
    order = sorted(known.items())
    for (low, weaker), (high, stronger) in zip(order, order[1:]):
        if weaker >= stronger and len(differences) < MAX_DIFFERENCES:
            differences.append(f"the engine ranks value {low} below {high}, eval7 ranks them {weaker} and {stronger}")
    print(json.dumps({"hands": hands, "values": len(known), "differences": differences}))


if __name__ == "__main__":
    main()
