"""Callbacks that a bot leaves empty, so that the dealer need not send them."""

import dis
from abc import ABCMeta
from types import FunctionType
from typing import Any, Dict, List

_CALLBACKS = {"on_round_start": 2, "on_end_round": 2, "on_end_game": 4}
"""Methods that may be left out, with the number of their arguments. on_start is not among them: set_id comes with it."""
_NOTHING = frozenset({"RESUME", "NOP", "LOAD_CONST", "LOAD_SMALL_INT", "LOAD_COMMON_CONSTANT", "RETURN_VALUE", "RETURN_CONST"})
_KEYWORDS_OR_COROUTINE = 0x08 | 0x20 | 0x80 | 0x100 | 0x200


class Skipped:
    """The empty callbacks of one bot. A bot may give itself others while it plays; then they are needed from then on."""

    def __init__(self, bot: Any) -> None:
        self._bot = bot
        self._class = type(bot)
        self._empty: Dict[str, Any] = {}
        # A look at other classes and objects may run code of the bot.
        if type(self._class) in (type, ABCMeta) and self._class.__getattribute__ is object.__getattribute__ and self._class.__dictoffset__ != 0:
            found = {name: getattr(self._class, name, None) for name in _CALLBACKS if name not in bot.__dict__}
            self._empty = {name: method for name, method in found.items() if _does_nothing(method, _CALLBACKS[name])}

    def __bool__(self) -> bool:
        return bool(self._empty)

    @property
    def names(self) -> List[str]:
        """The methods that need not be called."""
        return list(self._empty)

    def awake(self) -> List[str]:
        """Returns the methods that are no longer empty, once each."""
        own = self._bot.__dict__
        kind = type(self._bot)
        changed = [name for name, empty in self._empty.items() if name in own or getattr(kind, name, None) is not empty]
        for name in changed:
            del self._empty[name]
        return changed


def _does_nothing(method: Any, count: int) -> bool:
    if type(method) is not FunctionType:
        return False
    code = method.__code__
    # A call with a wrong number of arguments raises, and its author wants to know.
    takes = code.co_argcount - 1 == count and code.co_kwonlyargcount == 0 and not code.co_flags & _KEYWORDS_OR_COROUTINE
    return takes and all(step.opname in _NOTHING for step in dis.get_instructions(code))
