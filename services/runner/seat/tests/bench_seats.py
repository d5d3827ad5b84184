"""Measures seats: time to ready, round trips, CPU time per decision. Run: python3 -m tests.bench_seats (in services/runner/seat)."""

import json
import os
import statistics
import time

from tests.harness import SeatHost, bot

SEATS, ACTS, RUNS = 6, 20_000, 5
# Five string hash seeds, as many as six seats have on average.
SEEDS = [f"{first:02x}" * 32 for first in (0, 1, 2, 3, 4, 4)]
STATE = [
    2,
    ["Td", "2s", "9h", "Kc"],
    1240,
    "230",
    320,
    "012345",
    [80 * n for n in range(1, 7)],
    "CFKR--",
    [[1240, "023"], [200, "23"]],
]
HAND = ["h", 10000, ["Td", "2s"], 10, 2, 1, [1, 2, 3, 4, 5, 6]]
FIRST = json.dumps([123456, [HAND, ["a", STATE, 640, 9000, 9000]]]).encode() + b"\n"
LINE = json.dumps([123456, [["r", STATE, 640, 9000, 9000], ["a", STATE, 640, 9000, 9000]]]).encode() + b"\n"
SHORT = json.dumps([123456, [["a", STATE, 640, 9000, 9000]]]).encode() + b"\n"


def one_run(line):
    """Returns the figures of one run, in the order of their names in main."""
    os.sched_setaffinity(0, {0})
    with SeatHost("--cpu", "0") as host:
        begun = time.perf_counter()
        seats = host.open(*[bot("")] * SEATS, seeds=SEEDS)
        for seat in seats:
            seat.receive()
        first_ms = (time.perf_counter() - begun) * 1000
        host.close_match()
        begun = time.perf_counter()
        seats = host.open(*[bot("")] * SEATS, seeds=SEEDS)
        load_ms = [seat.receive()["load_ms"] for seat in seats]
        ready_ms = (time.perf_counter() - begun) * 1000
        sockets = [seat.socket.fileno() for seat in seats]
        for seat in seats:
            os.set_blocking(seat.socket.fileno(), True)
        for link in sockets:
            os.write(link, FIRST)
            os.read(link, 4096)
        before = sum(seat["cpu_ms"] for seat in host.request("usage")["seats"])
        begun = time.perf_counter()
        for n in range(ACTS):
            link = sockets[n % SEATS]
            os.write(link, line)
            os.read(link, 4096)
        trip_us = (time.perf_counter() - begun) / ACTS * 1e6
        cpu_us = (sum(seat["cpu_ms"] for seat in host.request("usage")["seats"]) - before) / ACTS * 1000
        begun = time.perf_counter()
        host.close_match()
        return first_ms, max(load_ms), ready_ms, trip_us, cpu_us, (time.perf_counter() - begun) * 1000


def main():
    """Prints the median of each figure for both lines."""
    for name, line in (("one request", SHORT), ("a callback and a request", LINE)):
        runs = list(zip(*[one_run(line) for _ in range(RUNS)]))
        print(f"{name}, {len(line)} bytes, {SEATS} seats in turn, one core, median of {RUNS} (lowest to highest)")
        for what, values in zip(("first open of a host ms", "slowest load ms", "open to all ready ms", "round trip us", "seat CPU us an act", "close ms"), runs):
            print(f"  {what:23} {statistics.median(values):8.1f}  ({min(values):.1f} to {max(values):.1f})")


if __name__ == "__main__":
    main()
