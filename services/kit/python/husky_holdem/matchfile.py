"""Reads match files: JSON lines with a manifest, hands and an end (docs/game-data.md)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from husky_holdem.output import Failure

STREETS = ("preflop", "flop", "turn", "river")


@dataclass
class Action:
    """One action. `seat` counts from 0, `amount` is the chips added, `verdict` the fault or 'adjusted'."""

    street: int
    seat: int
    name: str
    amount: int
    pot: int
    ms: int
    verdict: str | None
    text: str | None


@dataclass
class Hand:
    """One hand of a match file. Lists are by seat."""

    number: int
    names: list[str]
    button: int
    blinds: dict[str, int]
    stacks: list[int]
    won: list[int]
    cards: list[list[str]]
    board: list[str]
    actions: list[Action]
    game: dict[str, Any]

    @property
    def posts(self) -> int:
        """Number of blinds, which are the first actions; 1 if nobody posted the small blind."""
        return 1 if self.game.get("smallBlindSeat", 0) is None else 2

    @property
    def pot(self) -> int:
        """Chips that were played for, without an uncalled bet."""
        bets = [0] * len(self.stacks)
        for action in self.actions:
            bets[action.seat] += action.amount
        highest, second = sorted(bets)[:-3:-1]
        return sum(bets) - (highest - second)

    @property
    def folded(self) -> set[int]:
        """The seats that folded."""
        return {action.seat for action in self.actions if action.name == "FOLD"}

    @property
    def street(self) -> int:
        """The last street that was dealt."""
        return max(0, len(self.board) - 2)


class MatchFile:
    """A match file that is read line by line."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._file = _open_text(path)
        self.manifest = self._manifest()
        self.names = [str(player.get("username")) for player in self.manifest["players"]]

    def __enter__(self) -> MatchFile:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def _manifest(self) -> dict[str, Any]:
        line = self._line()
        if line.startswith("PK"):
            raise Failure(f"{self.path} is a zip archive, not a match file. Unpack it first.")
        if line.startswith("# manifest"):
            raise Failure(f"{self.path} is a PHH or CSV file, which has not every fact. Download the match as JSON lines.")
        found = _parse(line)
        players = found.get("players")
        if found.get("type") != "manifest" or not isinstance(players, list) or not all(isinstance(one, dict) for one in players):
            raise Failure(f"{self.path} is {'empty' if line == '' else 'not a match file: its first line is no manifest'}.")
        return found

    def _line(self) -> str:
        try:
            return self._file.readline()
        except UnicodeDecodeError:
            raise Failure(f"{self.path} is not a match file: it is no text.") from None
        except OSError as error:
            raise Failure(f"{self.path} cannot be read: {error.strerror}.") from None

    def hands(self) -> Iterator[Hand]:
        """Yields the hands in order. Raises Failure for a damaged line and, at the end of the file, for a missing end line."""
        read = 0
        while True:
            line = self._line()
            if line == "":
                raise Failure(f"{self.path} is cut off after hand {read} of {self.manifest.get('hands')}: download it again.")
            found = _parse(line)
            if found.get("type") == "end":
                return
            if found.get("type") != "hand":
                raise Failure(f"Line {read + 2} of {self.path} is not a hand. The file is damaged or cut off: download it again.")
            read += 1
            yield self._hand(found)

    def _hand(self, found: dict[str, Any]) -> Hand:
        try:
            return _hand_of(int(found["hand"]), found["game_data"])
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            raise Failure(f"Hand {found.get('hand')} of {self.path} cannot be read: {type(error).__name__} {error}.") from None


def _open_text(path: str) -> TextIO:
    if Path(path).is_dir():
        raise Failure(f"{path} is a folder. Name the match file in it.")
    try:
        return open(path, encoding="utf-8")
    except OSError as error:
        raise Failure(f"{path} cannot be read: {error.strerror}.") from None


def _parse(line: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _hand_of(number: int, game: dict[str, Any]) -> Hand:
    seats = range(len(game["playerNames"]))
    verdicts = {(one["round"], one["index"]): one for one in game.get("verdicts", [])}
    actions: list[Action] = []
    start: int | None = None
    for street in sorted(game["rounds"], key=int):
        for index, one in enumerate(game["rounds"][street]["action_sequence"]):
            start = one["timestamp"] if start is None else start
            verdict = verdicts.get((int(street), index), {})
            actions.append(
                Action(
                    int(street),
                    one["player"],
                    str(one["action"]),
                    int(one["amount"]),
                    int(one["total_pot_after_action"]),
                    int(one["timestamp"]) - start,
                    verdict.get("code"),
                    verdict.get("text"),
                )
            )
    money = game["playerMoney"]
    return Hand(
        number,
        [str(game["playerNames"][str(seat)]) for seat in seats],
        int(game["button"]),
        {"small": int(game["blinds"]["small"]), "big": int(game["blinds"]["big"])},
        [int(money["startingMoney"][str(seat + 1)]) for seat in seats],
        [int(money["thisGameDelta"][str(seat + 1)]) for seat in seats],
        [[str(card) for card in game["playerHands"].get(str(seat), [])] for seat in seats],
        [str(card) for card in game["finalBoard"]],
        actions,
        game,
    )
