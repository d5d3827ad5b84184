"""Reads the file of `husky bench`: models with parameters, and what is the same for all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from husky_holdem.authoring.budget import Budget, Price, parse_price
from husky_holdem.authoring.evaluate import Table
from husky_holdem.authoring.model import DEFAULT_KEY, Server, base_url, take_key
from husky_holdem.authoring.prompts import Prompts, load_prompts
from husky_holdem.authoring.publish import AUDIENCES
from husky_holdem.authoring.rounds import Plan, slug
from husky_holdem.bots import find_bot
from husky_holdem.commands.play import MAX_SEATS, cores
from husky_holdem.commands.trial import HOUSE
from husky_holdem.output import Failure

_COMMON: Mapping[str, tuple[type | tuple[type, ...], Any]] = {
    "seed": ((str, int), "author"),
    "rounds": (int, 5),
    "repetitions": (int, 2),
    "parallel": (int, 2),
    "hands": (int, 100),
    "sets": (int, 10),
    "field": (list, list(HOUSE)),
    "prompts": (str, ""),
    "max_tokens": (int, 0),
    "max_cost": ((int, float), 0),
    "timeout": ((int, float), 600),
    "retries": (int, 5),
    "batch": (dict, {"mode": "duplicate", "design": "balanced", "hand_budget": 60_000, "num_rounds": 100}),
    "publish": (str, ""),
    "models": (list, []),
}
_MODEL: Mapping[str, tuple[type | tuple[type, ...], Any]] = {
    "name": (str, ""),
    "label": (str, ""),
    "version": ((str, int, float), ""),
    "provider": (str, ""),
    "base_url": (str, ""),
    "key_env": (str, DEFAULT_KEY),
    "parameters": (dict, {}),
    "price": (dict, {}),
    "tokens": (list, []),
}
_LIMITS = {"rounds": (1, 50), "repetitions": (1, 10), "parallel": (1, 32), "hands": (1, 10_000), "sets": (2, 1000), "retries": (0, 100), "timeout": (1, 86_400)}
_MAX_BOTS = 100
_MAX_USER_NAME = 32


@dataclass(frozen=True)
class BenchModel:
    """A model of the file. `tokens`: environment variables with the access token of each of its bots."""

    label: str
    name: str
    version: str
    provider: str
    server: Server
    price: Price | None
    tokens: tuple[str, ...]


@dataclass(frozen=True)
class Bench:
    """A benchmark: each model writes `repetitions` bots."""

    models: tuple[BenchModel, ...]
    repetitions: int
    parallel: int
    rounds: int
    table: Table
    prompts: Prompts
    max_tokens: int | None
    max_cost: float | None
    batch: Mapping[str, Any]
    publish: str

    def bots(self) -> list[tuple[str, BenchModel]]:
        """Returns the names of all bots with their models, first bots of all models first."""
        return [(f"{model.label}-{number}", model) for number in range(1, self.repetitions + 1) for model in self.models]

    def plan(self, model: BenchModel, sandbox: bool) -> Plan:
        """Returns what the author of a bot does."""
        return Plan(model.server, self.prompts, replace(self.table, sandbox=sandbox), self.rounds, Budget(self.max_tokens, self.max_cost, model.price))


def read_bench(file: Path) -> Bench:
    """Reads a file of models, and the keys that it names from the environment. Raises Failure with the place of what is wrong."""
    try:
        import yaml  # type: ignore[import-untyped, import-not-found, unused-ignore]
    except ImportError:
        raise Failure("this command needs the packages of the extra 'author': pip install 'openai>=3.57,<4' 'pyyaml>=6,<7'") from None
    try:
        read = yaml.safe_load(file.read_text(encoding="utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise Failure(f"{file} is no YAML: {' '.join(str(error).split())[:200]}") from None
    common = _take(file.name, read, _COMMON)
    if not common["models"]:
        raise Failure(f"{file.name} has no models")
    if common["publish"] not in ("", *AUDIENCES):
        raise Failure(f"{file.name}: publish is one of {', '.join(AUDIENCES)}")
    if not 1 <= len(common["field"]) < MAX_SEATS:
        raise Failure(f"{file.name}: a field has 1 to {MAX_SEATS - 1} opponents")
    for bot in common["field"]:
        find_bot(str(bot))
    models = tuple(_model(f"{file.name}, model {number}", one, common) for number, one in enumerate(common["models"], 1))
    labels = [model.label for model in models]
    for label in labels:
        if labels.count(label) > 1:
            raise Failure(f"{file.name}: two models are called {label}: give each a label")
        if len(f"{label}-{common['repetitions']}") > _MAX_USER_NAME:
            raise Failure(f"{file.name}: {label} is too long for a user name: give it a label of at most {_MAX_USER_NAME - 3} characters")
    if len(models) * common["repetitions"] > _MAX_BOTS:
        raise Failure(f"{file.name}: {len(models)} models with {common['repetitions']} bots each are more than {_MAX_BOTS} bots")
    jobs = max(1, cores() // common["parallel"])
    table = Table([str(bot) for bot in common["field"]], str(common["seed"]), common["hands"], common["sets"], jobs)
    prompts = load_prompts(file.parent / common["prompts"] if common["prompts"] else None)
    limits = (common["max_tokens"] or None, float(common["max_cost"]) or None)
    return Bench(models, common["repetitions"], common["parallel"], common["rounds"], table, prompts, *limits, common["batch"], common["publish"])


def _model(where: str, value: Any, common: Mapping[str, Any]) -> BenchModel:
    one = _take(where, value, _MODEL)
    if not one["name"]:
        raise Failure(f"{where} has no name")
    url = base_url(one["base_url"] or None)
    price = parse_price(one["price"], where) if one["price"] else None
    if common["max_cost"] and price is None:
        raise Failure(f"{where}: max_cost needs a price, such as {{input: 1.25, output: 10}}")
    if one["tokens"] and len(one["tokens"]) != common["repetitions"]:
        raise Failure(f"{where}: tokens names {len(one['tokens'])} variables, not one for each of the {common['repetitions']} bots")
    key = take_key(one["key_env"], url)
    server = Server(one["name"], url, key, one["key_env"], one["parameters"], float(common["timeout"]), common["retries"])
    return BenchModel(slug(one["label"] or one["name"]), one["name"], str(one["version"]), one["provider"], server, price, tuple(map(str, one["tokens"])))


def _take(where: str, value: Any, known: Mapping[str, tuple[type | tuple[type, ...], Any]]) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise Failure(f"{where} is no mapping of {', '.join(known)}")
    unknown = [str(key) for key in value if key not in known]
    if unknown:
        raise Failure(f"{where} has unknown keys: {', '.join(unknown)}; known are {', '.join(known)}")
    for key, one in value.items():
        if not isinstance(one, known[key][0]) or isinstance(one, bool):
            raise Failure(f"{where}: {key} is of the wrong type")
        low, high = _LIMITS.get(key, (0, 10**12))
        if isinstance(one, (int, float)) and not low <= one <= high:
            raise Failure(f"{where}: {key} must be from {low} to {high}")
    return {key: value.get(key, default) for key, (_, default) in known.items()}
