"""Judges a bot: the checks of an upload, then a set against the house bots with the local dealer. Makes the feedback of it."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from husky_holdem.bots import BotSource, find_bot, find_bots
from husky_holdem.commands.check import check_bot
from husky_holdem.commands.play import cores, describe_failed_calls, describe_sandbox
from husky_holdem.commands.stats import COLUMNS, shown_figure
from husky_holdem.hand_text import hand_lines
from husky_holdem.matchfile import Hand, MatchFile
from husky_holdem.node import Broken, run_node
from husky_holdem.output import EXIT_WRONG, Failure
from husky_holdem.table import make_settings, play

NAME = "you"
_CHECK_HANDS = 30
_WORST_HANDS = 3
Event = Callable[[dict[str, Any]], None]


@dataclass(frozen=True)
class Table:
    """The set that judges bots: `sets` deal sets, each with every rotation of the seats, against the bots of the field."""

    field: Sequence[str]
    seed: str
    hands: int
    sets: int
    jobs: int
    sandbox: bool = True

    @property
    def settings(self) -> dict[str, Any]:
        """The settings of its matches."""
        return make_settings(hands=self.hands, seed=self.seed, stacks="reset")

    @property
    def all_hands(self) -> int:
        """Hands of a complete set."""
        return self.hands * self.sets * (len(self.field) + 1)

    def probe(self) -> tuple[str, bool]:
        """Starts a table of house bots. Returns a sentence about its sandbox, and whether that is the site's. Raises Failure."""
        found: dict[str, Any] = {}

        def note(event: dict[str, Any]) -> None:
            if event["event"] == "sandbox":
                found.update(event)

        bots = find_bots(["house", "calling-station"])
        try:
            play(bots, make_settings(hands=1, seed=self.seed), note, require_sandbox=True)
            return describe_sandbox(found), True
        except Failure as failure:
            if "sandbox" not in str(failure):
                raise
            return str(failure), False


def evaluate(player: Path, requirements: Path, table: Table, on_event: Event) -> dict[str, Any]:
    """Checks a bot and plays the set with it. A bot that fails a check is a result too. Raises Failure where this machine fails."""
    try:
        checked = check_bot(player, requirements, _CHECK_HANDS, lambda _: None, table.sandbox)
    except Broken as failure:
        raise Failure(str(failure)) from failure
    except Failure as failure:
        if failure.code != EXIT_WRONG:
            raise
        return {"ok": False, "verdict": str(failure)}
    if checked["packages_unchecked"] is not None:
        raise Failure(f"the packages of {requirements} cannot be checked, as {checked['packages_unchecked']}: run the command again later")
    bots = [BotSource(NAME, player, requirements), *map(find_bot, table.field)]
    with tempfile.TemporaryDirectory(prefix="husky-") as folder:
        out = Path(folder) / "set"
        played = play(
            _named(bots),
            table.settings,
            on_event,
            repeat=table.sets,
            jobs=table.jobs or cores(),
            duplicate=True,
            out=out,
            require_sandbox=table.sandbox,
            more={"luck": True},
        )
        files = sorted(out.glob("**/match.jsonl"))
        figures = run_node("stats", {"paths": [str(file) for file in files], "player": NAME})["players"][0]
        worst = _worst_hands(files)
    return {"ok": True, "verdict": _verdict(played["bots"][0]), **_result(checked, played, figures), "worst_hands": worst}


def _named(bots: Sequence[BotSource]) -> list[BotSource]:
    """Numbers bots of a field that are given twice."""
    names = [bot.name for bot in bots]
    return [BotSource(bot.name if names.index(bot.name) == at else f"{bot.name}-{at}", bot.player, bot.requirements) for at, bot in enumerate(bots)]


def _result(checked: dict[str, Any], played: dict[str, Any], figures: dict[str, Any]) -> dict[str, Any]:
    bot = played["bots"][0]
    blind = played["settings"]["blinds"]["big_blind"]
    adjusted = bot["adjusted_per_100"] or {"mean": 0.0, "low": None, "high": None, "standardError": None}
    in_blinds = {key: None if value is None else value / blind for key, value in adjusted.items()}
    return {
        "bot_hash": checked["bot_hash"],
        "warnings": checked["warnings"],
        "packages": list(checked["packages"]),
        "hands": bot["hands"],
        "bb_per_100": {"mean": in_blinds["mean"], "low": in_blinds["low"], "high": in_blinds["high"], "standard_error": in_blinds["standardError"]},
        "chips": bot["net"],
        "faults": bot["faults"],
        "first_fault": bot["first_fault"],
        "failed_calls": describe_failed_calls(bot) if bot["failed_calls"] else None,
        "disabled": bot["disabled"],
        "statistics": {title: shown_figure(figures, name) for title, name in COLUMNS.items()},
        "digests": [match["play_digest"] for match in played["matches"]],
        # What depends on the machine.
        "times": {"decision_ms": bot["decision_ms"], "peak_mib": bot["peak_mib"], "cpu_ms": bot["cpu_ms"]},
    }


def _verdict(bot: dict[str, Any]) -> str:
    if bot["disabled"]:
        return f"The bot did not play to the end: it {bot['disabled']}."
    return "The bot played without a fault." if not bot["faults"] else f"The bot played with {sum(bot['faults'].values())} faults."


def _worst_hands(files: Sequence[Path]) -> list[str]:
    worst: list[tuple[int, str]] = []
    for file in files:
        with MatchFile(str(file)) as match:
            for hand in match.hands():
                lost = hand.won[hand.names.index(NAME)]
                if lost < 0 and (len(worst) < _WORST_HANDS or lost < worst[-1][0]):
                    worst = sorted([*worst, (lost, _text(hand))])[:_WORST_HANDS]
    return [text for _, text in worst]


def _text(hand: Hand) -> str:
    return "\n".join(line.plain.rstrip() for line in hand_lines(hand, symbols=False))


def show_result(result: dict[str, Any]) -> str:
    """Returns the figure of a round, such as '+12.3 (+4.0 to +20.6)'; of a failed one '-'."""
    if not result["ok"]:
        return "-"
    found = result["bb_per_100"]
    return f"{found['mean']:+,.1f}" + ("" if found["low"] is None else f" ({found['low']:+,.1f} to {found['high']:+,.1f})")


def feedback_of(result: dict[str, Any]) -> str:
    """Returns what a model is told about a round."""
    lines = [result["verdict"], *result.get("notes", []), *(f"Warning: {text}" for text in result.get("warnings", []))]
    if not result["ok"]:
        return "\n\n".join(_quoted(line) for line in lines)
    fault, times = result["first_fault"], result["times"]
    if fault is not None:
        counts = ", ".join(f"{count} {name}" for name, count in result["faults"].items())
        lines.append(f"Faults: {counts}; the first in match {fault['match']}, hand {fault['hand']}, {fault['fault']}: {fault['text']}")
    if result["failed_calls"]:
        lines.append(result["failed_calls"])
    decision = times["decision_ms"]
    lines += [
        f"Result: {show_result(result)} big blinds per 100 hands without luck; {result['chips']:+,} chips in {result['hands']:,} hands.",
        "Play: " + ", ".join(f"{title} {figure}" for title, figure in result["statistics"].items()) + ".",
        f"Decisions: median {decision['p50']:.1f} ms, 95 % below {decision['p95']:.1f} ms, slowest {decision['max']:.1f} ms; memory {times['peak_mib']:.0f} MiB.",
    ]
    hands = "".join(f"\n\n```text\n{text}\n```" for text in result["worst_hands"])
    return "\n\n".join(_quoted(line) for line in lines) + (f"\n\nThe hands that lost most:{hands}" if hands else "")


def _quoted(text: str) -> str:
    """Returns a text that a bot may have written, as one line that opens no code block."""
    return "".join(char if char.isprintable() else " " for char in text)[:1000].replace("```", "'''")
