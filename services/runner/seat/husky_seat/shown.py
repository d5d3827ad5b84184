"""What participants see of the machine's paths: none of its folders, and no frames of the platform and of Python in tracebacks."""

import os
import re
import sys
import sysconfig
from typing import Dict, Optional

_SEAT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_LIBRARY = {sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")}
_HIDDEN = {_SEAT, os.path.realpath(_SEAT), *_LIBRARY, *map(os.path.realpath, _LIBRARY)}
# Any path of a frame has this form, in tracebacks of Python, of faulthandler and of exception groups.
_FRAME = re.compile(r'([ |]*)File "([^"]*)", line \d+')


class Shown:
    """Rewrites texts of one seat. Arguments: its folders as the seat's process or its host knows them."""

    def __init__(self, bot_dir: str, packages_dir: Optional[str], scratch: Optional[str]) -> None:
        names: Dict[str, str] = {**dict.fromkeys(_LIBRARY, "/python"), _SEAT: "/platform", os.path.join(_SEAT, "api"): "/api"}
        names.update((path, "/python") for path in (sys.prefix, sys.base_prefix) if path not in ("/", "/usr", "/usr/local"))
        names.update({os.path.realpath(path): name for path, name in names.items()})
        names.update({path: name for path, name in ((bot_dir, "/bot"), (packages_dir, "/packages"), (scratch, "/scratch")) if path})
        self._names = names
        paths = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
        self._paths = re.compile(rf"(?<![\w./-])({paths})(?![\w-])(/husky_seat/\w+\.py(:\d+)?)?")

    def text(self, text: str) -> str:
        """Returns the text with the names that the folders have in every sandbox."""
        return self._paths.sub(lambda found: self._names[found[1]], text)

    def log(self, text: str) -> str:
        """Returns a log with tracebacks of the bot and its packages only; files of packages are relative to their folder."""
        lines = []
        hidden = None
        for line in text.split("\n"):
            frame = _FRAME.match(line)
            if frame:
                hidden = frame[1] if frame[2].startswith("<frozen ") or any(frame[2].startswith(f"{path}/") for path in _HIDDEN) else None
            elif hidden is not None and not line.startswith((f"{hidden}  ", f"{hidden}[Previous line")):
                hidden = None
            if hidden is None:
                lines.append(self.text(line).replace('File "/packages/', 'File "', 1) if frame else self.text(line))
        return "\n".join(lines)
