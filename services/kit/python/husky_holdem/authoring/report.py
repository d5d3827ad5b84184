"""The result of a benchmark: a table of models with nested intervals, as JSON, CSV and a plot of cost against strength."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from husky_holdem.authoring.bench_plan import Bench
from husky_holdem.files import write_atomically, write_json
from husky_holdem.node import run_node
from husky_holdem.output import Output

_COLUMNS = ("model", "bots", "failed_bots", "failed_rounds", "bb_per_100", "bots_low", "bots_high", "hands_low", "hands_high", "between_bots", "tokens", "cost_usd")
_WIDTH, _HEIGHT, _MARGIN = 720, 440, 60


def local_estimates(summaries: Mapping[str, Any]) -> dict[str, dict[str, float]]:
    """Returns mean and standard error of each bot in its local set, in big blinds per 100 hands."""
    return {name: {"mean": one["best"]["bb_per_100"]["mean"], "standardError": one["best"]["bb_per_100"]["standard_error"]} for name, one in summaries.items() if one.get("best")}


def site_estimates(standings: Mapping[str, Any], users: Mapping[str, str]) -> dict[str, dict[str, float]]:
    """Returns the same of the standings of a batch, by the estimator with the least luck that covers all matches."""
    estimator = standings["pairs"]["estimator"]
    found = {}
    for player in standings["players"]:
        one = player["estimates"][estimator]
        for name, user in users.items():
            if user == player["username"] and one is not None:
                # As in the site's own models: the error in big blinds is to that in chips as their intervals.
                scale = (one["bb_high"] - one["bb_low"]) / (one["high"] - one["low"]) if one["high"] > one["low"] else 0.0
                found[name] = {"mean": one["bb_per_100"], "standardError": one["standard_error"] * scale}
    return found


def make_table(bench: Bench, summaries: Mapping[str, Any], estimates: Mapping[str, Mapping[str, float]]) -> list[dict[str, Any]]:
    """Returns the rows of the models, the strongest first; models without a bot last."""
    rows, groups = [], []
    for model in bench.models:
        names = [name for name, one in bench.bots() if one is model]
        own = [summaries[name] for name in names]
        groups.append([estimates[name] for name in names if name in estimates])
        costs = [one["cost_usd"] for one in own if one.get("cost_usd") is not None]
        rows.append(
            {
                "model": model.label,
                "name": model.name,
                "bots": len(groups[-1]),
                "failed_bots": sum(name not in estimates for name in names),
                "failed_rounds": sum(len(one.get("failures", ())) for one in own),
                "tokens": sum(one["usage"]["input"] + one["usage"]["output"] for one in own if "usage" in one),
                "cost_usd": round(sum(costs), 6) if costs else None,
                "failures": {name: [*one.get("failures", ()), *filter(None, [one.get("problem")])] for name, one in zip(names, own, strict=True)},
            }
        )
    filled = [place for place, group in enumerate(groups) if group]
    nested = run_node("nested", {"models": [groups[place] for place in filled]})["models"] if filled else []
    for place, one in zip(filled, nested, strict=True):
        over = one["overBots"] or {"low": None, "high": None}
        intervals = {"bots_low": over["low"], "bots_high": over["high"], "hands_low": one["overHands"]["low"], "hands_high": one["overHands"]["high"]}
        rows[place] |= {"bb_per_100": one["mean"], **intervals, "between_bots": one["betweenBots"]}
    return sorted(rows, key=lambda row: (-row.get("bb_per_100", float("-inf")), row["model"]))


def write_report(folder: Path, rows: Sequence[dict[str, Any]], about: Mapping[str, Any]) -> None:
    """Writes table.json, table.csv and cost.svg."""
    write_json(folder / "table.json", {**about, "models": rows})
    text = io.StringIO()
    writer = csv.DictWriter(text, _COLUMNS, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    write_atomically(folder / "table.csv", text.getvalue().encode())
    write_atomically(folder / "cost.svg", plot(rows).encode())


def print_table(rows: Sequence[dict[str, Any]], out: Output) -> None:
    """Prints the table."""
    columns = ["model", "bots", "bb/100", "95 %, between bots", "95 %, these bots", "failed rounds", "tokens", "cost"]
    out.table(columns, [_cells(row) for row in rows])
    for row in rows:
        for name, failures in row["failures"].items():
            if failures and row["failed_bots"]:
                out.line(f"{name}: {failures[-1]}", style="yellow")


def _cells(row: dict[str, Any]) -> list[str]:
    mean = row.get("bb_per_100")
    cost = "-" if row["cost_usd"] is None else f"${row['cost_usd']:,.4f}"
    figures = ["-", "-", "-"] if mean is None else [f"{mean:+,.1f}", _range(row, "bots"), _range(row, "hands")]
    return [row["model"], str(row["bots"]), *figures, str(row["failed_rounds"]), f"{row['tokens']:,}", cost]


def _range(row: dict[str, Any], kind: str) -> str:
    low, high = row[f"{kind}_low"], row[f"{kind}_high"]
    return "-" if low is None else f"{low:+,.1f} to {high:+,.1f}"


def plot(rows: Sequence[dict[str, Any]]) -> str:
    """Returns an SVG: cost, or tokens where prices are missing, against strength with both intervals."""
    shown = [row for row in rows if row.get("bb_per_100") is not None]
    priced = bool(shown) and all(row["cost_usd"] is not None for row in shown)
    xs = [float(row["cost_usd"] if priced else row["tokens"]) for row in shown]
    ys = [value for row in shown for value in (row["bb_per_100"], row["bots_low"], row["bots_high"], row["hands_low"], row["hands_high"]) if value is not None]
    right, low, high = max(xs, default=0) or 1, min(ys, default=0), max(ys, default=1)
    span = (high - low) or 1

    def across(value: float) -> float:
        return _MARGIN + (_WIDTH - 2.5 * _MARGIN) * value / right

    def up(value: float) -> float:
        return _HEIGHT - _MARGIN - (_HEIGHT - 2 * _MARGIN) * (value - low) / span

    title = f"Strength against {'cost in dollars' if priced else 'tokens'} of all bots of a model"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" font-family="sans-serif" font-size="13">',
        f"<title>{title}</title>",
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>',
        f'<path d="M{_MARGIN} {_MARGIN}V{_HEIGHT - _MARGIN}H{_WIDTH - _MARGIN}" fill="none" stroke="#666"/>',
        f'<text x="{_WIDTH / 2}" y="{_HEIGHT - 15}" text-anchor="middle">{"cost, $" if priced else "tokens"}</text>',
        f'<text x="{_MARGIN}" y="{_MARGIN - 20}">big blinds per 100 hands; thin: 95 % between bots, thick: 95 % of these bots</text>',
    ]
    for value in (low, low + span / 2, high):
        parts.append(f'<text x="{_MARGIN - 6}" y="{up(value) + 4:.1f}" text-anchor="end">{value:,.0f}</text>')
    for value in (0.0, right / 2, right):
        parts.append(f'<text x="{across(value):.1f}" y="{_HEIGHT - _MARGIN + 18}" text-anchor="middle">{value:,.4g}</text>')
    for row, x in zip(shown, map(across, xs), strict=True):
        for kind, width in (("bots", 1), ("hands", 4)):
            if row[f"{kind}_low"] is not None:
                parts.append(f'<path d="M{x:.1f} {up(row[f"{kind}_low"]):.1f}V{up(row[f"{kind}_high"]):.1f}" stroke="#1f5fa8" stroke-width="{width}"/>')
        y = up(row["bb_per_100"])
        label = f'x="{x + 9:.1f}"' if x < _WIDTH / 2 else f'x="{x - 9:.1f}" text-anchor="end"'
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="#1f5fa8"/><text {label} y="{y + 4:.1f}">{escape(row["model"])}</text>')
    return "\n".join([*parts, "</svg>\n"])


def metadata_of(bench: Bench, summaries: Mapping[str, Any], users: Mapping[str, str], day: str) -> dict[str, Any]:
    """Returns the metadata of the batch, of the form of /batch-metadata.schema.json."""
    models = dict(bench.bots())
    bots = {}
    for name, user in users.items():
        model, summary = models[name], summaries[name]
        about = {"name": model.name, "version": model.version or summary.get("model_version"), "provider": model.provider}
        bots[user] = {
            "model": {key: value for key, value in about.items() if value},
            "prompt": bench.prompts.label,
            "rounds": len(summary["rounds"]),
            "tokens": summary["usage"]["input"] + summary["usage"]["output"],
            **({} if summary["cost_usd"] is None else {"cost_usd": summary["cost_usd"]}),
            "created_on": day,
        }
    return {"description": f"husky bench: {len(bench.models)} models, {bench.repetitions} bots each", "bots": bots}
