"""What an author reads beside an error: the rule or the mistake behind it, and the way out. `advice.py` finds the hint for an error.

docs/bots.md shows the same table: `python3 -m husky_seat.hints` prints it, and a test compares the two.
"""

import builtins
import difflib
import inspect
import re
import sys
from functools import lru_cache
from types import FrameType
from typing import Callable, FrozenSet, Iterable, List, NamedTuple, Optional


class Facts(NamedTuple):
    """What the hints look at.

    `kinds`: classes of the exception, or the reason for which the host has ended the process. `code`: the bot's failing line, and the modules that it
    called. `frames`: those of the bot and its packages, outermost first. `method`: the method that the platform called.
    """

    error: Optional[BaseException]
    kinds: List[str]
    text: str
    code: str = ""
    frames: List[FrameType] = []
    method: str = ""


class Hint(NamedTuple):
    """A row of the table. It applies to the kinds that `kind` names, separated by |, where the regular expressions `text` and `code` are found.

    `fill` returns what replaces {} in `way_out`; "" if the hint does not apply. In the table, `example` replaces it. A row without `seen` is not shown.
    """

    rule: str
    seen: str
    way_out: str
    kind: str
    text: str = ""
    code: str = ""
    fill: Optional[Callable[[Facts], str]] = None
    example: str = ""

    @property
    def kinds(self) -> FrozenSet[str]:
        """The kinds of `kind`."""
        return _split(self.kind)


@lru_cache(maxsize=None)
def _split(kinds: str) -> FrozenSet[str]:
    return frozenset(kinds.split("|"))


_PACKAGES = dict(
    pair.split(":")
    for pair in "Crypto:pycryptodome PIL:pillow attr:attrs bs4:beautifulsoup4 cv2:opencv-python-headless dateutil:python-dateutil deuces:treys "
    "dotenv:python-dotenv serial:pyserial skimage:scikit-image sklearn:scikit-learn tensorflow:tensorflow-cpu tflite_runtime:tflite-runtime yaml:pyyaml".split()
)
_API_NAMES = {
    "Bot": "from bot import Bot",
    "PokerAction": "from type.poker_action import PokerAction",
    "PokerRound": "from type.poker_action import PokerRound",
    "RoundStateClient": "from type.round_state import RoundStateClient",
    "np": "import numpy as np",
    "pd": "import pandas as pd",
    **dict.fromkeys(("List", "Dict", "Tuple", "Optional", "Any", "Set", "Union"), "from typing import List, Dict, Tuple, Optional, Any"),
    **dict.fromkeys(("Counter", "defaultdict", "deque", "namedtuple"), "from collections import Counter, defaultdict, deque, namedtuple"),
    **dict.fromkeys(("combinations", "permutations", "product"), "from itertools import combinations, permutations, product"),
    **{"true": "True", "false": "False", "null": "None", "self": "self as the first parameter"},
}


def _package(facts: Facts) -> str:
    name = str(getattr(facts.error, "name", "") or "").partition(".")[0]
    return _PACKAGES.get(name, name)


def _api_import(facts: Facts) -> str:
    name = re.search(r"import name '(\w+)'", facts.text)
    known = name and _API_NAMES.get(name[1])
    return f"write {known}" if known else "the platform's names are Bot, PokerAction, PokerRound and RoundStateClient"


def _parameters(facts: Facts) -> str:
    from bot import Bot

    if not facts.method or facts.frames:
        return ""
    names = ["self"] if facts.method == "__init__" else list(inspect.signature(getattr(Bot, facts.method)).parameters)
    return f"{facts.method} gets ({', '.join(names)})"


def _alike(facts: Facts) -> str:
    return _close(str(getattr(facts.error, "name", "")), dir(getattr(facts.error, "obj", None)))


def _close(name: str, names: Iterable[str]) -> str:
    return next((found for found in difflib.get_close_matches(name, names, 2, 0.75) if found != name), "")


def _attribute(facts: Facts) -> str:
    close = _alike(facts)
    return f"did you mean self.{close}?" if close else f"assign self.{getattr(facts.error, 'name', '...')} in __init__ or on_start"


def _name(facts: Facts) -> str:
    name = str(getattr(facts.error, "name", "") or re.sub(r".*name '(\w+)'.*", r"\1", facts.text))
    if name in _API_NAMES:
        return f"write {_API_NAMES[name]}"
    if name in sys.stdlib_module_names:
        return f"write import {name}"
    if not facts.frames:
        return ""
    frame = facts.frames[-1]
    own = frame.f_locals.get("self")
    if own is not None and name in {*vars(own), *vars(type(own))}:
        return f"did you mean self.{name}?"
    close = _close(name, {**frame.f_globals, **frame.f_locals, **vars(builtins)})
    return f"did you mean {close}?" if close else f"assign {name} before this line"


_NO_PROCESSES = "no other programs or processes here: use threads (ThreadPoolExecutor)"

# The first that applies counts.
HINTS = [
    # Rules of the sandbox.
    Hint("Memory", "`MemoryError`, or the bot is stopped", "keep less at a time: smaller tables, fewer copies, numpy's float32", "MemoryError|memory"),
    Hint("32 threads", "`can't start new thread`", "use a pool of a few threads, and join those that are done", "RuntimeError|crash", "new thread|threads, "),
    Hint("64 open files", "`Too many open files`", "close files after use: with open(...) as file", "OSError", r"Errno 24\b"),
    Hint("32 MiB, 256 entries, 4 MiB a file", "`No space left on device`, `File too large`", "keep fewer and smaller files, and delete old ones", "OSError|OperationalError|output", r"Errno (28|27|122)\b|disk is full|entries in the scratch"),
    Hint("64 MiB of printed text", "the bot is stopped", "print less, and nothing in loops", "output", "printed"),
    Hint("Start-up time", "*not ready after …*", "import and compute less before __init__ returns", "startup", "not ready"),
    Hint("SQLite without locks", "`access permission denied`, `unable to open database file`", 'use sqlite3.connect("file:x.db?nolock=1", uri=True)', "OperationalError", "permission denied|unable to open|locking|is locked|I/O error"),
    Hint("No processes", "`FileNotFoundError`, `PermissionError` in `multiprocessing`", _NO_PROCESSES, "OSError|ImportError", "", r"\b(multiprocessing|billiard|loky|joblib|ProcessPoolExecutor|SharedMemory|shared_memory)\b"),
    Hint("No other programs", "`PermissionError` in `subprocess`, `os.fork`", _NO_PROCESSES, "OSError", r"Errno (1|13|38)\b|pty devices", r"\b(subprocess|Popen|popen|system|fork|forkpty|exec[lv]\w*|p?spawn\w*|posix_spawnp?|pty|create_subprocess_\w+)\b"),
    Hint("No shared memory", "`PermissionError` in `mmap`", "use mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE), or access=mmap.ACCESS_READ", "OSError", r"Errno (1|13)\b", r"\b(mmap|memmap)\b"),
    Hint("No locks on files", "`PermissionError` in `fcntl`", "leave the lock out: a bot is alone in its folder", "OSError", r"Errno (1|11|13|38)\b", r"\b(flock|lockf|fcntl|portalocker|filelock|fasteners)\b"),
    Hint("No network", "`gaierror`, `PermissionError` in `socket`", "there is no network: put the data into player.py", "gaierror|herror"),
    Hint("No network", "", "there is no network: put the data into player.py", "OSError", r"Errno (1|13|97|101|111)\b", r"\b(socket|ssl|urllib\d?|http|requests|httpx|aiohttp|smtplib|ftplib|socketserver|websockets?|create_connection|bind|connect)\b"),
    Hint("No signals, priorities, limits", "`PermissionError` in `os.kill`, `os.nice`", "leave it out: a bot controls no process", "OSError|ValueError", r"Errno (1|3|13)\b|maximum limit", r"\b(kill|killpg|nice|sched_\w+|setpriority|setrlimit|prlimit|pthread_kill)\b"),
    Hint("Files have names and contents only", "`PermissionError` in `os.chmod`, `shutil.copy2`", "use shutil.copyfile and os.rename", "OSError", r"Errno 1\b", r"\b(l?ch(mod|own)|fch\w+|utime|copy2?|copymode|copystat|copytree|symlink(_to)?|(hard)?link(_to)?|mk(fifo|nod)|truncate|statvfs|disk_usage|setxattr|tarfile|zipfile)\b"),
    Hint("No files beyond the upload", "`No such file or directory: 'weights.json'`", "only player.py is uploaded: put the data into it, or make the file first", "FileNotFoundError", r": '(/bot/|(?!/))"),
    Hint("Files in the current folder only", "`Read-only file system`, `Permission denied`", "a bot has files in its current folder only: open('notes.txt', 'w')", "OSError", r"Errno 30\b|Errno 13\b.*: |Errno 2\b.*: '/"),
    Hint("No terminal, no display, no users", "`EOF when reading a line`, `uid not found`", "nobody types here: leave input(), screens, users and locales out", "EOFError|error|Error|TclError|KeyError|OSError", r"EOF when reading|setupterm|terminfo|display|uid not found|ioctl for device|unsupported locale"),
    Hint("`breakpoint()` at home only", "", "use breakpoint() in husky debug only", "BdbQuit"),
    Hint("Other calls", "`PermissionError`", "the sandbox refuses this call: leave it out", "OSError", r"Errno (0|1|38)\b|unobtainable"),
    Hint("The process ended", "*ended with status …*", "return an action instead of os._exit()", "crash", "ended with status"),
    Hint("The process crashed", "*ended by SIGSEGV*", "a package or ctypes crashed, or a recursion was too deep", "signal"),
    # Imports.
    Hint("Modules of the platform", "`cannot import name … from 'bot'`", "{}", "ImportError", r"(No module named|from) '(bot|type|config|runner)\b", fill=_api_import, example="write from type.poker_action import PokerAction"),
    Hint("One file", "`attempted relative import`", "write the other file's code into player.py: it is uploaded alone", "ImportError", "relative import"),
    Hint("Parts of Python that are missing", "`No module named 'tkinter'`", "do without it: the platform does not have it", "ModuleNotFoundError", r"'_?(tkinter|turtle|idlelib|ensurepip|venv|pip|setuptools|pkg_resources|distutils|imp|asynchat|asyncore|smtpd|lib2to3|curses|msvcrt|winreg|winsound)\b"),
    Hint("Packages", "`No module named 'sklearn'`", "write {} into requirements.txt; a file of your own must be inside player.py", "ModuleNotFoundError", fill=_package, example="scikit-learn"),
    Hint("Names of Python's modules", "`partially initialized module`", "another file or package has the name of a module of Python: rename it", "ImportError|AttributeError", "partially initialized"),
    # The API.
    Hint("Parameters", "`takes 2 positional arguments but 3 were given`", "{}", "TypeError", r"\(\) (takes|missing|got)|positional argument", fill=_parameters, example="get_action gets (self, round_state, remaining_chips)"),
    Hint("All five methods", "`Can't instantiate abstract class`", "write the missing method, with pass as its body", "TypeError", "abstract class"),
    Hint("The class", "", "write class SimplePlayer(Bot), with capital S and P", "LoadError", "defines no class"),
    Hint("Plain methods", "`not coroutine`, `not generator`", "write def, not async def, and return, not yield", "InvalidAnswer|NeverRan", "coroutine|generator"),
    Hint("A return on every path", "", "end every path of get_action with a return, such as PokerAction.FOLD, 0", "InvalidAnswer", "must return.*not None$"),
    Hint("Action, then amount", "", "return the action, then the amount: PokerAction.RAISE, 40", "InvalidAnswer", "must return|action must be"),
    Hint("A number as amount", "", "return 0 as amount, except for RAISE", "InvalidAnswer", "amount must be"),
    Hint("Actions", "", "PokerAction has FOLD, CHECK, CALL, RAISE and ALL_IN; a bet is a RAISE", "AttributeError", r"'PokerAction'|^\w+$", r"\bPokerAction\b"),
    Hint("Ids are strings as keys", "", "keys of player_bets and the like are strings: .get(str(self.id), 0)", "KeyError", r"^\d{10}$"),
    Hint("Players who folded are missing", "", "players who folded on an earlier street are not in it: .get(str(self.id), 0)", "KeyError", r"^'\d{10}'$"),
    Hint("Your cards", "", "your cards come in on_start only: self.hand = player_hands", "AttributeError", r"'RoundStateClient'.*'\w*(hand|card|hole)\w*'$"),
    Hint("Fields of the state", "", "did you mean {}? docs/bots.md lists the fields", "AttributeError", "'RoundStateClient'", fill=lambda facts: _alike(facts) or "round_state.pot"),
    Hint("The state is an object", "", "write round_state.pot, not round_state['pot']", "TypeError", "'RoundStateClient' object"),
    Hint("`player_money` is None", "", "player_money is not filled: use remaining_chips", "TypeError|AttributeError", "'?NoneType'?", "player_money"),
    Hint("The board", "", "the board has 0, 3, 4 or 5 cards: look at its length first", "IndexError", "", r"\b(community|board|flop|turn|river)\w*"),
    Hint("Two cards", "", "you hold two cards, [0] and [1], which on_start gives you", "IndexError", "", r"\b\w*(hand|card|hole)\w*\b"),
    Hint("Cards are text", "", "a card is a string such as 'Ah': card[0] is the rank, card[1] the suit", "AttributeError", "^'str' object"),
    Hint("Ranks are letters", "", "use '23456789TJQKA'.index(card[0])", "ValueError", "invalid literal for int.*'[TJQKA][hdcs]?'"),
    # Python.
    Hint("A value is None", "", "assign it in __init__ or on_start, or check for None first", "TypeError|AttributeError", "'?NoneType'?"),
    Hint("Attributes", "", "{}", "AttributeError", "'SimplePlayer'", fill=_attribute),
    Hint("Attributes", "", "did you mean {}?", "AttributeError", fill=_alike),
    Hint("Names", "", "{}", "NameError", fill=_name),
    Hint("Lists", "", "look at the length of the list first", "IndexError"),
    Hint("Members", "", "look with `in` first", "ValueError", "not in (list|deque)|is not in|substring not found"),
    Hint("Dictionaries", "", "use .get(key, default), or look with `in` first", "KeyError"),
    Hint("Division", "", "check the divisor first: to_call and lists of opponents can be 0", "ZeroDivisionError"),
    Hint("Recursion", "", "a function calls itself without end: give it a case that returns", "RecursionError"),
    Hint("JSON", "", "save numbers, strings, lists and dictionaries only", "TypeError", "JSON serializable"),
    Hint("Text and numbers", "", "convert first: int(text) or str(number)", "TypeError", r"concatenate str|'(str|int|float)' and '(str|int|float)'"),
    Hint("Leaving", "", "return an action instead of exit(), which folds the hand", "SystemExit|KeyboardInterrupt"),
]


def markdown() -> str:
    """Returns the list as Markdown, as in docs/bots.md."""
    lines = [f"- {hint.rule} ({hint.seen}): {hint.way_out.replace('{}', hint.example)}" for hint in HINTS if hint.seen]
    return "\n".join(lines).replace("__init__", "`__init__`")


if __name__ == "__main__":
    print(markdown())
