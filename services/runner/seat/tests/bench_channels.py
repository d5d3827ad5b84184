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
from typing import Dict, List, NamedTuple, Tuple

from tests.harness import SEAT_DIR, SeatHost, bot

sys.path.insert(0, SEAT_DIR)
from husky_seat.survey import REMOVABLE  # noqa: E402


class Channel(NamedTuple):
    """Statements of a channel. `send` runs in the sender and uses `symbol`; in the receiver `prepare` runs before the sender, and `observe` sets `seen` after it."""

    symbols: int
    hands: int
    send: str
    observe: str
    prepare: str = "pass"


CHANNELS: Dict[str, Channel] = {
    "thinking time, 64 steps of 1.5 ms": Channel(64, 1280, "time.sleep(symbol * 0.0015)", "seen = self.gap"),
    "thinking time, 16 steps of 0.2 ms": Channel(16, 640, "time.sleep(symbol * 0.0002)", "seen = self.gap"),
    "processor burnt in the other's turn": Channel(
        2,
        200,
        "self.burn = symbol",
        "end = time.perf_counter() + 0.02\nseen = 0\nwhile time.perf_counter() < end: seen += 1",
    ),
    "numbers of threads": Channel(
        2,
        200,
        "for _ in range(20 * symbol): (lambda t: (t.start(), t.join()))(threading.Thread(target=int))",
        "t = threading.Thread(target=int); t.start(); t.join(); seen = t.native_id - self.last; self.last = t.native_id",
    ),
    "folders in scratch": Channel(
        2,
        200,
        "(os.mkdir if symbol else os.rmdir)('d') if os.path.exists('d') != bool(symbol) else None",
        "seen = sum(os.stat('../' + name).st_nlink for name in os.listdir('..'))",
    ),
    "bytes in scratch": Channel(
        2, 200, "open('f', 'wb').write(b'x' * (symbol << 20))", "seen = os.statvfs('.').f_bfree"
    ),
    "a lock on a library": Channel(
        2,
        200,
        "import fcntl; self.held = open(os.__file__); symbol and fcntl.flock(self.held, fcntl.LOCK_EX)",
        "import fcntl\nf = open(os.__file__)\ntry: fcntl.flock(f, fcntl.LOCK_EX | fcntl.LOCK_NB); seen = 1\nexcept BlockingIOError: seen = 2",
    ),
    "memory of the machine": Channel(
        2,
        200,
        "self.kept = bytearray(b'x') * (symbol * (128 << 20)); threading.Timer(0.02, setattr, (self, 'kept', None)).start()",
        # Other programs change it, too, but rarely by this much between two requests.
        "seen = self.free - os.sysconf('SC_AVPHYS_PAGES')",
        "time.sleep(0.05); self.free = os.sysconf('SC_AVPHYS_PAGES')",
    ),
    "time to allocate memory": Channel(
        2,
        200,
        "self.kept = bytearray(os.urandom(1)) * (symbol * (64 << 20))",
        "t = time.perf_counter(); kept = b'x' * (8 << 20); seen = (time.perf_counter() - t) * 1e6",
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
    sender = bot(SENDER.format(send=indented(channel.send)))
    receiver = bot(RECEIVER.format(observe=indented(channel.observe), prepare=indented(channel.prepare)))
    state = [0, [], 0, [], 0, {}, {}, []]
    with SeatHost("--cpu", "0", *options) as host:
        one, other = host.open(sender, receiver)
        if not (one.receive()["ready"] and other.receive()["ready"]):
            raise AssertionError("not ready")
        seen = []
        for number in range(channel.hands):
            symbol = random.randrange(channel.symbols)
            for seat, events in (
                (other, [["a", state, 0, 0, 0]]),
                (one, [["h", 10000, [str(symbol), ""], 10, 2, 1, [1, 2]], ["a", state, 0, 0, 0]]),
                (other, [["a", state, 0, 0, 1]]),
            ):
                seat.send([number + 1, events])
                reply = seat.receive()
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
