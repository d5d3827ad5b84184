"""Formats hands as text: cards with coloured suits, actions with chips and pots, by street."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence

from rich.text import Text

from husky_holdem.matchfile import STREETS, Action, Hand

SUITS = {"h": "♥", "d": "♦", "c": "♣", "s": "♠"}
# Four colours, so that suits differ at a glance; readable on dark and light backgrounds.
STYLES = {"h": "red", "d": "blue", "c": "green", "s": "bold"}
FAULT_STYLE, FAINT_STYLE, WON_STYLE = "bold red", "dim", "green"


def has_symbols() -> bool:
    """Returns whether standard output can show the symbols of suits."""
    return (sys.stdout.encoding or "ascii").lower().replace("-", "").startswith("utf")


def cards_text(codes: Iterable[str], symbols: bool) -> Text:
    """Returns cards such as A♠ K♥ with coloured suits; without symbols As Kh."""
    shown = [Text(code[:1] + (SUITS.get(code[1:], code[1:]) if symbols else code[1:]), STYLES.get(code[1:], "")) for code in codes]
    return Text(" ").join(shown)


def hand_lines(hand: Hand, symbols: bool) -> Iterator[Text]:
    """Yields the lines of a hand: players, streets with pots and stacks, results."""
    width = max(len(name) for name in hand.names)
    yield Text.assemble((f"Hand {hand.number}", "bold"), f"  blinds {hand.blinds['small']:,}/{hand.blinds['big']:,}")
    for seat, name in enumerate(hand.names):
        if hand.cards[seat]:
            button = "  button" if seat == hand.button else ""
            yield Text.assemble(f"  seat {seat + 1}  {name:<{width}}  {hand.stacks[seat]:>9,}  ", cards_text(hand.cards[seat], symbols), button)
    stacks = list(hand.stacks)
    for street in range(hand.street + 1):
        actions = [action for action in hand.actions if action.street == street]
        yield Text()
        yield street_line(hand, street, stacks, bool(actions), symbols)
        for index, action in enumerate(actions):
            stacks[action.seat] -= action.amount
            blind = street == 0 and index < hand.posts
            done = Text(f"posts {action.amount:,}") if blind else action_text(action, stacks[action.seat])
            yield Text.assemble(f"  {hand.names[action.seat]:<{width}}  ", done)
    yield Text()
    yield from result_lines(hand, width, symbols)


def street_line(hand: Hand, street: int, stacks: Sequence[int], betting: bool, symbols: bool) -> Text:
    """Returns the heading of a street: its board, the pot and the stacks of all who are still in the hand."""
    before = [action for action in hand.actions if action.street < street]
    folded = {action.seat for action in before if action.name == "FOLD"}
    behind = [f"{hand.names[seat]} {stacks[seat]:,}" for seat in range(len(stacks)) if hand.cards[seat] and seat not in folded]
    line = Text.assemble((STREETS[street], "bold"))
    if street > 0:
        line.append("  ").append_text(cards_text(hand.board[: street + 2], symbols)).append(f"  pot {before[-1].pot:,}")
    if not betting:
        line.append("  no betting")
    return line.append(f"  [{', '.join(behind)}]", FAINT_STYLE)


def action_text(action: Action, behind: int) -> Text:
    """Returns an action as text: its name and chips, the pot, and the fault if there was one."""
    text = Text(action_name(action.name, action.amount))
    if action.amount:
        text.append(f"  pot {action.pot:,}, {behind:,} behind", FAINT_STYLE)
    if action.verdict is not None:
        text.append(f"  {action.text or action.verdict}", FAULT_STYLE)
    return text


def action_name(name: str, amount: int) -> str:
    """Returns an action as text, such as 'raise 40' or 'all-in 9,900'."""
    word = name.lower().replace("all in", "all-in")
    return f"{word} {amount:,}" if amount else word


def result_lines(hand: Hand, width: int, symbols: bool) -> Iterator[Text]:
    """Yields a line for each player who won or lost chips, with the cards of those who showed them."""
    shown = [seat for seat in range(len(hand.names)) if hand.cards[seat] and seat not in hand.folded]
    yield Text.assemble(("result", "bold"), f"  pot {hand.pot:,}")
    for seat, won in enumerate(hand.won):
        if won == 0 and seat not in shown:
            continue
        line = Text.assemble(f"  {hand.names[seat]:<{width}}  ", (f"{won:+,}", WON_STYLE if won > 0 else ""))
        yield line.append("  ").append_text(cards_text(hand.cards[seat], symbols)) if len(shown) > 1 and seat in shown else line
