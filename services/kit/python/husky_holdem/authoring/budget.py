"""What the calls of a model cost: tokens and money, kept in a file that survives a kill."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from husky_holdem.output import Failure

BYTES_PER_TOKEN = 3
_MILLION = 1_000_000


def estimate_tokens(text: str) -> int:
    """Returns about how many tokens a text has, rather too many: one for three bytes."""
    return -(-len(text.encode("utf-8", "replace")) // BYTES_PER_TOKEN)


@dataclass(frozen=True)
class Price:
    """Dollars for a million tokens. `cached_input`: of input that the server had in its cache."""

    input: float
    output: float
    cached_input: float


@dataclass(frozen=True)
class Usage:
    """Tokens of calls. `estimated`: tokens of calls for which the server has sent no count."""

    input: int = 0
    output: int = 0
    cached_input: int = 0
    estimated: int = 0

    @property
    def total(self) -> int:
        """Tokens of prompts and answers."""
        return self.input + self.output

    def __add__(self, other: Usage) -> Usage:
        return Usage(*(getattr(self, name) + getattr(other, name) for name in ("input", "output", "cached_input", "estimated")))

    def cost(self, price: Price | None) -> float | None:
        """Returns the cost in dollars, to a millionth; None without a price."""
        if price is None:
            return None
        fresh = self.input - self.cached_input
        return round((fresh * price.input + self.cached_input * price.cached_input + self.output * price.output) / _MILLION, 6)


def parse_price(value: Any, where: str) -> Price:
    """Returns a price of the form {"input": 1.25, "output": 10, "cached_input": 0.125}; raises Failure for anything else."""
    try:
        numbers = {name: float(value[name]) for name in ("input", "output")}
        price = Price(**numbers, cached_input=float(value.get("cached_input", numbers["input"])))
    except (KeyError, TypeError, ValueError, AttributeError):
        price = Price(-1, -1, -1)
    if not all(0 <= number < _MILLION for number in asdict(price).values()):
        raise Failure(f'{where}: a price is {{"input": 1.25, "output": 10}}, in dollars for a million tokens')
    return price


def read_price(file: Path, model: str) -> Price:
    """Returns the price of a model in a JSON file of prices by model. Raises Failure."""
    try:
        prices = json.loads(file.read_text(encoding="utf-8"))
    except ValueError:
        raise Failure(f"{file} is no JSON") from None
    if not isinstance(prices, dict) or model not in prices:
        raise Failure(f"{file} has no price of {model}")
    return parse_price(prices[model], f"{file}, {model}")


@dataclass(frozen=True)
class Budget:
    """The most that an author may use in all its rounds; None: no limit."""

    tokens: int | None = None
    cost: float | None = None
    price: Price | None = None

    def left(self, used: Usage, prompt_tokens: int) -> int | None:
        """Returns how many tokens an answer may have after a prompt; None: any number."""
        after = used + Usage(input=prompt_tokens)
        limits = [] if self.tokens is None else [self.tokens - after.total]
        if self.cost is not None and self.price is not None and self.price.output + self.price.input > 0:
            rest = self.cost - (after.cost(self.price) or 0)
            limits.append(int(rest * _MILLION / self.price.output) if self.price.output > 0 else 1 if rest > 0 else 0)
        return min(limits, default=None)


class Calls:
    """The calls of a round in calls.jsonl: one line when a call starts, one when it has ended; a call without an end was killed."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def add(self, entry: Mapping[str, Any]) -> None:
        """Appends a line, on the disk when this returns."""
        with self._path.open("a", encoding="utf-8") as file:
            # A line that a full disk or a kill has cut must not spoil the next one.
            file.write(("\n" if file.tell() and not self._complete() else "") + json.dumps(entry, ensure_ascii=False) + "\n")
            file.flush()
            os.fsync(file.fileno())

    def entries(self) -> list[dict[str, Any]]:
        """Returns the complete lines."""
        try:
            lines = self._path.read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            return []
        found = []
        for line in lines:
            try:
                found.append(json.loads(line))
            except ValueError:
                continue
        return found

    def usage(self) -> Usage:
        """Returns the tokens of all calls; of a killed one the prompt and what had arrived of the answer."""
        used, running = Usage(), Usage()
        for entry in self.entries():
            if entry["event"] == "ended":
                used, running = used + Usage(**entry["usage"]), Usage()
            else:
                if entry["event"] == "started":
                    used, running = used + running, Usage()
                running = Usage(entry["prompt"], entry.get("answer", 0), 0, entry["prompt"] + entry.get("answer", 0))
        return used + running

    def _complete(self) -> bool:
        with self._path.open("rb") as file:
            file.seek(-1, os.SEEK_END)
            return file.read(1) == b"\n"


def total(usages: Iterable[Usage]) -> Usage:
    """Returns the sum of usages."""
    return sum(usages, Usage())
