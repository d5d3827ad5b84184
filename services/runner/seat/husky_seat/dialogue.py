"""The seat's side of the protocol: reads the dealer's lines, calls the bot, answers."""

import os
import sys
import traceback
from json import JSONDecoder
from typing import Any, List

from type.round_state import RoundStateClient

from husky_seat.answer import answer_line, error_line
from husky_seat.loader import one_line

_STREETS = ("Preflop", "Flop", "Turn", "River")
_READ_BYTES = 65536


def log_exception(error: BaseException) -> None:
    """Write the traceback, without the seat's own frame, to the bot's log."""
    try:
        trace = error.__traceback__
        trace = trace.tb_next or trace if trace else None
        sys.stderr.write("".join(traceback.format_exception(type(error), error, trace, limit=20)))
    except Exception as second:
        sys.stderr.write(f"{one_line(error)} (traceback not available: {type(second).__name__})\n")


def converse(bot: Any, player_id: int, link: int) -> None:
    """Serve the dealer until it closes the link; the bot's exceptions end nothing."""
    decode = JSONDecoder().raw_decode
    read, write = os.read, os.write
    waiting = b""
    while True:
        chunk = read(link, _READ_BYTES)
        if not chunk:
            return
        lines = (waiting + chunk).split(b"\n")
        waiting = lines.pop()
        for line in lines:
            seq, events = decode(line.decode())[0]
            for event in events:
                if event[0] == "a":
                    write(link, _decide(bot, seq, event))
                else:
                    _tell(bot, player_id, event)


def _state(event: List[Any]) -> RoundStateClient:
    """Build what the bot sees from `[kind, state, min_raise, max_raise, ...]`; player_money is None, as observed."""
    street, cards, pot, actors, bet, bets, actions, pots = event[1]
    return RoundStateClient(
        street,
        _STREETS[street],
        cards,
        pot,
        actors,
        bet,
        event[2],
        event[3],
        bets,
        actions,
        None,
        [{"amount": amount, "eligible_players": players} for amount, players in pots],
    )


def _decide(bot: Any, seq: int, event: List[Any]) -> bytes:
    state = _state(event)
    try:
        return answer_line(seq, bot.get_action(state, event[4]))
    except BaseException as error:
        log_exception(error)
        return error_line(seq, one_line(error))


def _tell(bot: Any, player_id: int, event: List[Any]) -> None:
    kind = event[0]
    if kind == "h":
        _call(bot, "set_id", player_id)
        _call(bot, "on_start", *event[1:7])
    elif kind == "r":
        _call(bot, "on_round_start", _state(event), event[4])
    elif kind == "e":
        _call(bot, "on_end_round", _state(event), event[4])
    elif kind == "g":
        _call(bot, "on_end_game", _state(event), *event[5:8])


def _call(bot: Any, method: str, *arguments: Any) -> None:
    try:
        getattr(bot, method)(*arguments)
    except BaseException as error:
        log_exception(error)
