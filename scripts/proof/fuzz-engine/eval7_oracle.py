"""Compares the engine's ranking of seven-card hands with eval7.

Reads from standard input a line with the codes of the 52 cards, then records of nine bytes: seven card numbers, and the engine's value
in two bytes, little-endian. Prints a JSON object: `{"hands", "values", "differences"}`.
"""

import json
import sys
from typing import Dict, List

import eval7

RECORD_BYTES = 9
MAX_DIFFERENCES = 5


def main() -> None:
    """Compares the hands read from standard input."""
    stream = sys.stdin.buffer
    codes = stream.readline().decode().strip()
    names = [codes[index : index + 2] for index in range(0, len(codes), 2)]
    cards = [eval7.Card(name) for name in names]
    evaluate = eval7.evaluate
    ranks: Dict[int, int] = {}
    differences: List[str] = []
    hands = 0
    while batch := stream.read(RECORD_BYTES * 10_000):
        for at in range(0, len(batch), RECORD_BYTES):
            rank = evaluate([cards[card] for card in batch[at : at + 7]])
            value = batch[at + 7] | batch[at + 8] << 8
            if ranks.setdefault(value, rank) != rank and len(differences) < MAX_DIFFERENCES:
                hand = "".join(names[card] for card in batch[at : at + 7])
                differences.append(f"{hand}: the engine gives it the value {value}, which eval7 splits into {ranks[value]} and {rank}")
        hands += len(batch) // RECORD_BYTES
    order = sorted(ranks.items())
    for (low, weaker), (high, stronger) in zip(order, order[1:]):
        if weaker >= stronger and len(differences) < MAX_DIFFERENCES:
            differences.append(f"the engine ranks value {low} below {high}, eval7 ranks them {weaker} and {stronger}")
    print(json.dumps({"hands": hands, "values": len(ranks), "differences": differences}))


if __name__ == "__main__":
    main()
