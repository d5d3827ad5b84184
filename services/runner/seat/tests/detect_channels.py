"""Searches for channels between two seats: one makes each operation that seats may make or an equally long decoy, the other notes all that it can observe.

Run: python3 -m tests.detect_channels [operations] (in services/runner/seat). Reports each pair of operation and observation that depend on one another
beyond chance: the rank-sum test (Mann and Whitney) of the observed numbers, and of their changes, by the sender's random bit. What one round reports is
repeated in a longer one, durations of files with the processor's caches emptied: what those tell is known. Numbers must not depend at all. Durations
may: they are named with the bits a hand that a receiver gets from them. Exit status 1: a number, or a duration of a name or file, depends.
DETECT_WITHOUT=own_root removes a means; the search must then find something.
"""

import json
import math
import os
import random
import sys
from typing import Any, Dict, List, NamedTuple, Tuple

from tests.harness import SEAT_DIR, SeatHost

HANDS, REPEATED = 64, 160
# 22 operations times about 400 observations and changes: fewer than one chance report in 100 runs reaches the repetition, and none passes it.
_SUSPECT, _CERTAIN = 5.0, 6.0
_ACT = ["a", [0, [], 0, "", 0, "", [], "", []], 0, 0, 0]
_FILES = ("missing name", "agreed file", "listing")


class Finding(NamedTuple):
    """An observation that depends on an operation: `z` of the rank-sum test, bits a hand of the best threshold."""

    operation: str
    observation: str
    z: float
    bits: float

    def of_files(self) -> bool:
        """Returns whether it is a duration of a name or file, to which the processor's caches contribute."""
        return "time of " in self.observation and any(word in self.observation for word in _FILES)

    def allowed(self) -> bool:
        """Returns whether it is a duration, or a number of switches, that tells of the processor only, and neither of names nor of files."""
        return any(word in self.observation for word in ("time of ", "csw")) and not self.of_files()


def source() -> str:
    """Returns the program of both bots."""
    with open(os.path.join(os.path.dirname(__file__), "channel_bot.py"), encoding="utf-8") as program:
        return program.read()


def observe(operation: str, hands: int, options: List[str], run_as: Any = None, emptied: bool = False) -> List[Tuple[int, Dict[str, float]]]:
    """Plays these hands, with empty caches of the processor if wanted; returns each one's (random bit, observations)."""
    with SeatHost("--cpu", str(min(os.sched_getaffinity(0))), *options, run_as=run_as) as host:
        sender, receiver = host.open(source(), source(), seeds=["00" * 32] * 2, log_bytes=8 << 20)
        for seat in (sender, receiver):
            first = seat.receive()
            if not first["ready"]:
                raise AssertionError(first)
        bits = [random.randrange(2) for _ in range(hands)]
        first_hand = random.randrange(1 << 40)
        for hand, bit in enumerate(bits, first_hand):
            for seat, order in ((sender, {"operation": operation, "bit": bit, "hand": hand}), (receiver, {"hand": hand, "emptied": emptied})):
                if host.waiting_event("scratch-used"):
                    renew_file_times(host.run_dir)
                seat.send([hand - first_hand + 1, [["h", 10000, [json.dumps(order), ""], 10, 2, 1, [1, 2]], _ACT]])
                reply = seat.receive()
                if reply is None or reply[1] != 3:
                    raise AssertionError(f"{operation}: {reply}, {host.close_match()}")
        log = host.close_match()[1]["log"]
    noted = [json.loads(line) for line in log.splitlines() if line.startswith("{")]
    if len(noted) != hands:
        raise AssertionError(f"{len(noted)} of {hands} hands were noted")
    return list(zip(bits, noted))


def renew_file_times(folder: str) -> None:
    """Takes a precise time as the dealer does (services/runner/src/files/folders.ts)."""
    descriptor = os.open(os.path.join(folder, "file-times"), os.O_CREAT | os.O_RDWR)
    os.pwrite(descriptor, b".", 0)
    os.fstat(descriptor)
    os.pwrite(descriptor, b".", 0)
    os.close(descriptor)


def rank_sum(samples: List[Tuple[int, float]]) -> float:
    """Returns z of the Mann-Whitney test, corrected for ties; 0 if all numbers are equal."""
    ordered = sorted(value for _, value in samples)
    rank: Dict[float, float] = {}
    ties = 0.0
    for value in set(ordered):
        first, count = ordered.index(value), ordered.count(value)
        rank[value] = first + (count + 1) / 2
        ties += count**3 - count
    n = len(samples)
    ones = [rank[value] for bit, value in samples if bit]
    zeros = n - len(ones)
    variance = len(ones) * zeros / 12 * ((n + 1) - ties / (n * (n - 1)))
    return 0.0 if variance <= 0 else (sum(ones) - len(ones) * (n + 1) / 2) / math.sqrt(variance)


def bits_a_hand(samples: List[Tuple[int, float]]) -> float:
    """Returns the capacity of the symmetric channel with the error rate of the best threshold."""
    n = len(samples)
    wrong = [sum(1 for bit, value in samples if (value > limit) != bool(bit)) for limit in {value for _, value in samples}]
    error = min(min(one, n - one) for one in wrong) / n
    return 1.0 if error == 0 else 1 + error * math.log2(error) + (1 - error) * math.log2(1 - error)


def findings(operation: str, hands: List[Tuple[int, Dict[str, float]]], limit: float) -> List[Finding]:
    """Returns the observations, and changes of observations, that depend on the bit."""
    found = []
    for name in sorted({name for _, noted in hands for name in noted}):
        values = [(bit, noted[name]) for bit, noted in hands if name in noted]
        changes = [(bit, value - before) for (bit, value), (_, before) in zip(values[1:], values)]
        for kind, samples in (("", values), ("change of ", changes)):
            z = rank_sum(samples) if len(samples) > 8 else 0.0
            if abs(z) > limit:
                found.append(Finding(operation, kind + name, z, bits_a_hand(samples)))
    return found


def search(operation: str, options: List[str], run_as: Any = None) -> List[Finding]:
    """Returns the dependences of all observations on this operation that a repetition confirms."""
    suspected = findings(operation, observe(operation, HANDS, options, run_as), _SUSPECT)
    confirmed = []
    for emptied in (False, True):
        names = {one.observation for one in suspected if one.of_files() == emptied}
        if names:
            repeated = findings(operation, observe(operation, REPEATED, options, run_as, emptied), _CERTAIN)
            confirmed += [one for one in repeated if one.observation in names]
    return confirmed


def operations() -> List[str]:
    """Returns the names of all operations."""
    text = source()
    listed = text[text.index("OPERATIONS = {") :]
    return [name.strip() for name in listed[listed.index("(") + 1 : listed.index(")")].replace("\n", " ").split(",") if name.strip()]


def main() -> int:
    """Prints a line for each dependence and a last line with the result; returns the exit status."""
    without = os.environ.get("DETECT_WITHOUT", "").split()
    options = [word for means in without for word in ("--without", means)] + (["--allow-strangers-without-sandbox"] if without else [])
    run_as = int(os.environ["RUN_AS"]) if os.environ.get("RUN_AS") else None
    chosen = [name for name in operations() if not sys.argv[1:] or name in sys.argv[1:]]
    open_channels = 0
    for name in chosen:
        for one in search(name, options, run_as):
            open_channels += not one.allowed()
            verdict = "processor time" if one.allowed() else "OPEN"
            print(f"{verdict}: {one.operation} shows in {one.observation}: z {one.z:.1f}, {one.bits:.2f} bits a hand", flush=True)
    print(f"{len(chosen)} operations by {'user ' + str(run_as) if run_as else 'the own user'}: {open_channels} open channels")
    return 1 if open_channels else 0


if __name__ == "__main__":
    sys.path.insert(0, SEAT_DIR)
    sys.exit(main())
