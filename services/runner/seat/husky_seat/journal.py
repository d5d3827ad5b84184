"""The host's own messages: one JSON line each on standard error."""

import json
import sys
import time


def log(level: str, message: str, **fields: object) -> None:
    """Writes one line; level is info, warn or error."""
    line = {"time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "level": level, "service": "seat-host", "msg": message, **fields}
    sys.stderr.write(json.dumps(line) + "\n")
