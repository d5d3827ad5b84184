"""A table whose bots all run in this process, printed hand by hand."""

from __future__ import annotations

import contextlib
import pdb
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rich.text import Text

from husky_holdem.bots import BotSource
from husky_holdem.hand_text import FAULT_STYLE, WON_STYLE, action_name, cards_text, has_symbols
from husky_holdem.local_bot import LocalBot, print_traceback
from husky_holdem.matchfile import STREETS
from husky_holdem.output import Output


class BotRunner:
    """Base of tables: prints a bot's exceptions, and keeps a bot's output apart from a JSON document."""

    def __init__(self, out: Output, post_mortem: bool) -> None:
        self.out = out
        self._post_mortem = post_mortem

    def report(self, path: Path, call: str, error: BaseException, name: str = "") -> None:
        """Prints the traceback of an exception that a bot raised in a call and, with `post_mortem`, opens pdb there."""
        self.out.line(Text(f"{name}{call} raised an exception:", FAULT_STYLE))
        print_traceback(path, error, call)
        if self._post_mortem and error.__traceback__ is not None:
            pdb.post_mortem(error.__traceback__)

    @contextlib.contextmanager
    def bot_output(self) -> Iterator[None]:
        """Redirects what bots print within the context to standard error if --json is given."""
        if not self.out.as_json:
            yield
            return
        with contextlib.redirect_stdout(sys.stderr):
            yield


class LiveTable(BotRunner):
    """Bots of this process and the events of the dealer's command `debug`. Seat 0 is the bot that is debugged."""

    def __init__(self, bots: Sequence[BotSource], out: Output, post_mortem: bool) -> None:
        super().__init__(out, post_mortem)
        self.names = [bot.name for bot in bots]
        self.failures = [0] * len(bots)
        self._street = -1
        self._width = max(len(name) for name in self.names)
        with self.bot_output():
            self._bots = [LocalBot(bot.player, self._reporter(seat, bot.player)) for seat, bot in enumerate(bots)]

    def _reporter(self, seat: int, path: Path) -> Any:
        def report(call: str, error: BaseException) -> None:
            self.failures[seat] += 1
            self.report(path, call, error, f"{self.names[seat]}: ")

        return report

    def on_event(self, event: dict[str, Any]) -> str | None:
        """Handles an event of the dealer; returns the bot's reply if the event requests an action."""
        kind = event["event"]
        if kind == "match":
            for bot, player_id in zip(self._bots, event["ids"], strict=True):
                bot.player_id = player_id
        elif kind in ("ask", "tell"):
            if kind == "ask":
                self._show_street(STREETS.index(event["street"]), event)
            with self.bot_output():
                addressed: LocalBot = self._bots[event["seat"]]
                return addressed.handle(event["events"])
        elif kind == "hand":
            self._show_hand(event)
        elif kind == "action":
            self._show_action(event)
        elif kind == "hand_end":
            self._show_end(event)
        return None

    def _show_hand(self, event: dict[str, Any]) -> None:
        self._street = -1
        self.out.line(Text(f"Hand {event['number']}", "bold"))
        for seat, name in enumerate(self.names):
            if event["cards"][seat]:
                # A dead small blind is null.
                posted = (event[key] for key in ("small_blind", "big_blind") if event[key] is not None)
                blind = next((f"  posts {one['amount']:,}" for one in posted if one["seat"] == seat), "")
                button = "  button" if event["button"] == seat else ""
                cards = cards_text(event["cards"][seat], has_symbols())
                self.out.line(Text.assemble(f"  {name:<{self._width}}  {event['stacks'][seat]:>9,}  ", cards, button, blind))

    def _show_street(self, street: int, event: dict[str, Any]) -> None:
        if street != self._street:
            self._street = street
            board = Text("  ").append_text(cards_text(event["board"], has_symbols())) if event["board"] else ""
            self.out.line(Text.assemble((STREETS[street], "bold"), board, f"  pot {event['pot']:,}"))

    def _show_action(self, event: dict[str, Any]) -> None:
        line = Text(f"  {self.names[event['seat']]:<{self._width}}  {action_name(event['action'], event['amount'])}")
        if event["fault"] is not None:
            # An exception was counted when the bot raised it.
            if event["fault"] != "exception":
                self.failures[event["seat"]] += 1
            line.append(f"  {event['fault']}: {event['asked'] or ''}", FAULT_STYLE)
        elif event["asked"] is not None:
            line.append(f"  changed from {event['asked']}", FAULT_STYLE)
        self.out.line(line)

    def _show_end(self, event: dict[str, Any]) -> None:
        won = [(name, chips) for name, chips in zip(self.names, event["won"], strict=True) if chips]
        line = Text.assemble(("result", "bold"))
        if event["board"]:
            line.append("  ").append_text(cards_text(event["board"], has_symbols()))
        for name, chips in won:
            line.append(f"  {name} ").append(f"{chips:+,}", WON_STYLE if chips > 0 else "")
        self.out.line(line)
        self.out.line()
