"""Measures the bandwidth of covert channels between two seats, in bits per hand, with the sandbox and, as a control, without it.

Run: python3 -m tests.bench_channels [words of channels] (in services/runner/seat). A hand is three requests: to the receiver, to the sender (whose
cards are a secret symbol), and to the receiver again, which returns a number that it observed. Half of the hands train the receiver (the
median of its numbers for each symbol); on the other half its guesses are compared with the symbols. The result is the mutual information of
symbol and guess, minus the bias of the small sample. The control shows that sender and receiver work without the sandbox.
"""

import math
import random
import statistics
import sys
import time
from typing import Dict, List, NamedTuple, Tuple

from tests.harness import NO_STATE, SEAT_DIR, SeatHost, bot

sys.path.insert(0, SEAT_DIR)
from husky_seat.survey import REMOVABLE  # noqa: E402


class Channel(NamedTuple):
    """Statements of a channel. `send` runs in the sender and uses `symbol`; in the receiver `prepare` runs before the sender, and `observe` sets `seen` after it.

    `grid_ms`: the sender's reply is passed on at the next multiple of it only, a means that the platform does not use.
    """

    symbols: int
    hands: int
    send: str
    observe: str
    prepare: str = "pass"
    grid_ms: float = 0


_BURNT = "end = time.perf_counter() + 0.02\nseen = 0\nwhile time.perf_counter() < end: seen += 1"
_ALLOCATED = "t = time.perf_counter(); kept = b'x' * (8 << 20); seen = (time.perf_counter() - t) * 1e6"
_READ = "f = os.open(decimal.__file__, 0)\nt = time.perf_counter()\nos.pread(f, 65536, 0)\nseen = (time.perf_counter() - t) * 1e6\nos.close(f)"
CHANNELS: Dict[str, Channel] = {
    "thinking time, 64 steps of 1.5 ms": Channel(64, 1280, "time.sleep(symbol * 0.0015)", "seen = self.gap"),
    "thinking time, 16 steps of 0.2 ms": Channel(16, 640, "time.sleep(symbol * 0.0002)", "seen = self.gap"),
    "thinking time below 20 ms, passed on every 20 ms": Channel(16, 640, "time.sleep(symbol * 0.001)", "seen = self.gap", grid_ms=20),
    "thinking time below 96 ms, passed on every 20 ms": Channel(64, 640, "time.sleep(symbol * 0.0015)", "seen = self.gap", grid_ms=20),
    "processor burnt in the other's turn": Channel(2, 200, "self.burn = symbol", _BURNT),
    "time to allocate memory": Channel(2, 200, "self.kept = bytearray(os.urandom(1)) * (symbol * (64 << 20))", _ALLOCATED),
    "processor's cache: a shared file read or not": Channel(
        2, 400, "os.pread(f := os.open(decimal.__file__, 0), 65536 * symbol, 0); os.close(f)", _READ, "bytes(CACHES[::64])"
    ),
}

SENDER = """
    symbol = 0
    burn = 0
    def __init__(self):
        super().__init__()
        sys.setswitchinterval(0.0001)
        threading.Thread(target=self.burner, daemon=True).start()
    def burner(self):
        while True:
            if self.burn: sum(range(1000))
            else: time.sleep(0.0005)
    def on_start(self, chips, cards, *rest): self.symbol = int(cards[0])
    def get_action(self, s, r):
        symbol = self.symbol
        try:
            {send}
        except OSError: pass
        return PokerAction.CALL, 0
"""

RECEIVER = """
    at = 0
    last = 0
    def get_action(self, s, r):
        now = time.perf_counter()
        self.gap = (now - self.at) * 1e6
        seen = 0
        try:
            if r == 1:
                {observe}
            else:
                {prepare}
        except (OSError, ValueError): seen = 0
        self.at = time.perf_counter()
        return PokerAction.RAISE, float(seen)
"""


def indented(statements: str) -> str:
    """Returns the statements with the indentation of the templates' innermost block."""
    return statements.replace("\n", "\n                ")


def hands_of(channel: Channel, options: List[str]) -> List[Tuple[int, float]]:
    """Returns (symbol, number that the receiver observed) of each hand."""
    modules = "import decimal\nCACHES = bytearray(48 << 20)\n"
    sender = modules + bot(SENDER.format(send=indented(channel.send)))
    receiver = modules + bot(RECEIVER.format(observe=indented(channel.observe), prepare=indented(channel.prepare)))
    with SeatHost("--cpu", "0", *options) as host:
        one, other = host.open(sender, receiver)
        if not (one.receive()["ready"] and other.receive()["ready"]):
            raise AssertionError("not ready")
        seen = []
        for number in range(channel.hands):
            symbol = random.randrange(channel.symbols)
            for seat, events in (
                (other, [["a", NO_STATE, 0, 0, 0]]),
                (one, [["h", 10000, [str(symbol), ""], 10, 2, 1, [1, 2]], ["a", NO_STATE, 0, 0, 0]]),
                (other, [["a", NO_STATE, 0, 0, 1]]),
            ):
                seat.send([number + 1, events])
                asked = time.monotonic()
                reply = seat.receive()
                if channel.grid_ms and seat is one:
                    time.sleep(-(time.monotonic() - asked) % (channel.grid_ms / 1000))
            if reply[1] != 4:
                raise AssertionError(f"the receiver returned {reply}")
            seen.append((symbol, reply[2]))
        return seen


def bits(channel: Channel, seen: List[Tuple[int, float]]) -> float:
    """Returns the mutual information per hand of symbol and trained guess, minus its bias (Miller and Madow)."""
    half = len(seen) // 2
    centres = {s: statistics.median([value for symbol, value in seen[:half] if symbol == s] or [math.inf]) for s in range(channel.symbols)}
    counts: Dict[Tuple[int, int], int] = {}
    for symbol, value in seen[half:]:
        guess = min(centres, key=lambda s: abs(centres[s] - value))
        counts[symbol, guess] = counts.get((symbol, guess), 0) + 1
    total = len(seen) - half
    rows = {s: sum(n for (a, _), n in counts.items() if a == s) for s in centres}
    columns = {s: sum(n for (_, b), n in counts.items() if b == s) for s in centres}
    information = sum(n / total * math.log2(n * total / (rows[a] * columns[b])) for (a, b), n in counts.items())
    used = [sum(1 for n in one if n) for one in (counts.values(), rows.values(), columns.values())]
    bias = (used[0] - used[1] - used[2] + 1) / (2 * total * math.log(2))
    return max(0.0, information - bias)


CONTROL = ["--allow-strangers-without-sandbox", *(word for means in REMOVABLE if means != "sampler" for word in ("--without", means))]
"""Options of a host whose seats have no sandbox."""


def main() -> None:
    """Prints a table row for each channel whose name has a word of the command line."""
    print("| channel | symbols | hands | bits a hand | without the sandbox |\n|---|---|---|---|---|")
    for name, channel in CHANNELS.items():
        if sys.argv[1:] and not any(word in name for word in sys.argv[1:]):
            continue
        figures = [bits(channel, hands_of(channel, options)) for options in ([], CONTROL)]
        print(f"| {name} | {channel.symbols} | {channel.hands} | {figures[0]:.2f} | {figures[1]:.2f} |", flush=True)


if __name__ == "__main__":
    main()
