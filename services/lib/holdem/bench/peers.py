"""Measures the Python libraries that bench.ts compares with.

Arguments: the number of runs, then optionally the names of the libraries to measure.
Prints one JSON object per line: {"name", "unit", "rates"} or {"name", "skipped"}.
"""

import json
import random
import sys
import time
from collections.abc import Callable

RUNS = int(sys.argv[1])
SUITS = "hdcs"
RANKS = "23456789TJQKA"
CODES = [rank + suit for rank in RANKS for suit in SUITS]


def report(name: str, unit: str, count: int, work: Callable[[], None]) -> None:
    """Measures `work`, which does `count` operations, RUNS times after a warm-up."""
    work()
    rates = []
    for _ in range(RUNS):
        start = time.perf_counter()
        work()
        rates.append(count / (time.perf_counter() - start))
    print(json.dumps({"name": name, "unit": unit, "rates": rates}), flush=True)


def bench_eval7() -> None:
    """eval7's evaluator (C) over random seven-card hands."""
    import eval7

    rng = random.Random(1)
    cards = {code: eval7.Card(code) for code in CODES}
    hands = [[cards[code] for code in rng.sample(CODES, 7)] for _ in range(100_000)]
    evaluate = eval7.evaluate

    def work() -> None:
        for hand in hands:
            evaluate(hand)

    report("eval7 (Python, C)", "evaluations/s", len(hands), work)


def bench_treys() -> None:
    """treys' evaluator over random seven-card hands."""
    from treys import Card, Evaluator

    rng = random.Random(1)
    cards = {code: Card.new(code) for code in CODES}
    hands = [[cards[code] for code in rng.sample(CODES, 7)] for _ in range(3_000)]
    evaluate = Evaluator().evaluate

    def work() -> None:
        for hand in hands:
            evaluate(hand[:5], hand[5:])

    report("treys (Python)", "evaluations/s", len(hands), work)


def bench_pokerkit() -> None:
    """pokerkit's engine playing random legal six-player hands, everything but the decisions automated."""
    from pokerkit import Automation, NoLimitTexasHoldem

    rng = random.Random(1)
    hands = 60
    automations = tuple(Automation)

    def work() -> None:
        for _ in range(hands):
            state = NoLimitTexasHoldem.create_state(automations, True, 0, (5, 10), 10, (10_000,) * 6, 6)
            while state.status:
                draw = rng.random()
                if draw < 0.2 and state.can_fold() and state.checking_or_calling_amount:
                    state.fold()
                elif draw > 0.85 and state.can_complete_bet_or_raise_to():
                    low = state.min_completion_betting_or_raising_to_amount
                    high = state.max_completion_betting_or_raising_to_amount
                    state.complete_bet_or_raise_to(high if draw > 0.99 else min(high, low + rng.randint(0, 2 * low)))
                else:
                    state.check_or_call()

    report("pokerkit (Python)", "hands/s", hands, work)


for name, bench in [("eval7 (Python, C)", bench_eval7), ("treys (Python)", bench_treys), ("pokerkit (Python)", bench_pokerkit)]:
    if len(sys.argv) > 2 and name.split()[0] not in sys.argv[2:]:
        continue
    try:
        bench()
    except ImportError as error:
        print(json.dumps({"name": name, "skipped": str(error)}), flush=True)
