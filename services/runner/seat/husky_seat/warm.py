"""Imports modules that bots commonly use, in the parent of all seats. Third-party packages are excluded: their code must not run here."""

import importlib
import sys

from husky_seat.seat_root import API_DIR

_LIBRARY = """
abc array ast base64 bisect builtins collections collections.abc concurrent.futures concurrent.futures.thread contextlib copy csv ctypes
dataclasses datetime decimal difflib enum fractions functools gc hashlib heapq hmac inspect io itertools json linecache logging math numbers
operator os os.path pathlib pickle pprint queue random re secrets shutil signal site statistics string struct tempfile textwrap threading
time timeit traceback types typing unicodedata warnings weakref zlib encodings.ascii encodings.latin_1 encodings.utf_8_sig
""".split()

_API = "bot config runner type.message type.poker_action type.round_state type.utils".split()


def warm() -> None:
    """Imports the library and the API modules."""
    sys.dont_write_bytecode = True
    sys.path.insert(0, API_DIR)
    for name in [*_LIBRARY, *_API]:
        importlib.import_module(name)
    # `python -S` does not define exit, quit and help, which many scripts call.
    site = sys.modules["site"]
    site.setquit()
    site.sethelper()
    from husky_seat import seat  # noqa: F401  (needs the API modules on the path)
