"""One hand of a match file, repeated with a bot of this process."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.text import Text

from husky_holdem.hand_text import FAULT_STYLE, action_name, cards_text, has_symbols
from husky_holdem.live_table import BotRunner
from husky_holdem.local_bot import LocalBot, silenced
from husky_holdem.matchfile import STREETS
from husky_holdem.output import Output


class RepeatedHand(BotRunner):
    """A bot and the events of the dealer's command `repeat-hand`."""

    def __init__(self, path: Path, seat: int, out: Output, post_mortem: bool) -> None:
        super().__init__(out, post_mortem)
        self.comparisons: list[dict[str, Any]] = []
        self.failures: list[str] = []
        self._path = path
        self._seat = seat
        self._names: list[str] = []
        self._street = -1
        self._quiet = False
        with self.bot_output():
            self._bot = LocalBot(path, self._report)

    def _report(self, call: str, error: BaseException) -> None:
        if self._quiet:
            return
        self.failures.append(f"{call}: {type(error).__name__}: {error}")
        self.report(self._path, call, error)

    def on_event(self, event: dict[str, Any]) -> str | None:
        """Handles an event of the dealer; returns the bot's reply if the event requests an action."""
        kind = event["event"]
        if kind == "match":
            self._names = event["players"]
            self._bot.player_id = event["ids"][self._seat]
            if not event["has_seed"]:
                self.out.note("The seed is not published yet: the ids of the players are not those of the match.")
        elif kind in ("ask", "tell"):
            return self._pass_on(event)
        elif kind == "hand":
            self._show_hand(event)
        elif kind == "action":
            self._show_action(event)
        elif kind == "compared":
            self._compare(event)
        elif kind == "hand_end":
            won = event["won"][self._seat]
            self.out.line(Text.assemble(("result", "bold"), "  ", cards_text(event["board"], has_symbols()), f"  {won:+,} for the bot"))
        return None

    def _pass_on(self, event: dict[str, Any]) -> str | None:
        self._quiet = event.get("quiet", False)
        if self._quiet:
            with silenced():
                return self._bot.handle(event["events"])
        if event["event"] == "ask":
            self._show_street(STREETS.index(event["street"]), event["board"])
            to_call = f"{event['to_call']:,} to call" if event["to_call"] else "nothing to call"
            self.out.line(f"  the bot is asked: pot {event['pot']:,}, {to_call}, {event['stack']:,} behind")
        with self.bot_output():
            return self._bot.handle(event["events"])

    def _show_hand(self, event: dict[str, Any]) -> None:
        cards = cards_text(event["cards"][self._seat], has_symbols())
        name = self._names[self._seat]
        self.out.line(Text.assemble((f"Hand {event['number']}", "bold"), f"  seat {self._seat + 1}, in the match {name}  ", cards))
        for key, text in (("small_blind", "small blind"), ("big_blind", "big blind")):
            posted = event[key]
            self.out.line(f"  {self._names[posted['seat']]} posts the {text} of {posted['amount']:,}" if posted else f"  nobody posts the {text}")

    def _show_street(self, street: int, board: list[str]) -> None:
        if street != self._street:
            self._street = street
            cards = Text("  ").append_text(cards_text(board, has_symbols())) if board else ""
            self.out.line(Text.assemble((STREETS[street], "bold"), cards))

    def _show_action(self, event: dict[str, Any]) -> None:
        self._show_street(event["street"], event["board"])
        verdict = f"  ({event['verdict']})" if event["verdict"] else ""
        self.out.line(f"  {self._names[event['seat']]} {action_name(event['action'], event['amount'])}{verdict}")

    def _compare(self, event: dict[str, Any]) -> None:
        now, then = _described(event["now"]), _described(event["match"])
        self.comparisons.append({"street": STREETS[event["street"]], "same": event["same"], "now": event["now"], "match": event["match"]})
        if event["same"]:
            self.out.line(f"  the bot: {now}, as in the match")
        else:
            self.out.line(Text(f"  DIFFERENT: the bot now: {now}; in the match: {then}", FAULT_STYLE))


def _described(action: dict[str, Any]) -> str:
    """Returns an action as text, with its verdict and the action that the bot requested."""
    verdict = action["verdict"]
    asked = f": {action['asked']}" if action.get("asked") else ""
    return action_name(action["action"], action["amount"]) + (f" ({verdict}{asked})" if verdict else "")
