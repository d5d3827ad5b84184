"""The process of one seat without a sandbox: loads the bot and runs the dialogue, as husky_seat.seat does."""

import json
import os
import random
import resource
import sys
import threading
import time

_EXIT_LOAD, _EXIT_CLOSED = 91, 93
_EXTRA_MIB = 160


def main() -> None:
    """Runs the seat that the command line describes, on the link that it names; never returns."""
    link, spec = int(sys.argv[1]), json.loads(sys.argv[2])
    started = time.monotonic()
    seat_folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    packages = [spec["packages_dir"]] if spec["packages_dir"] else []
    sys.path[:] = [spec["bot_dir"], os.path.join(seat_folder, "api"), *packages, *sys.path]
    sys.argv[:] = ["player.py"]
    from husky_seat import dialogue, loader
    from husky_seat.randomness import seed_generators
    from husky_seat.shown import Shown

    if spec.get("seed") is None:
        random.seed(os.urandom(32))
    else:
        seed_generators(bytes.fromhex(spec["seed"]))
    loader.show = Shown(spec["bot_dir"], spec["packages_dir"], spec["scratch"]).text

    code = _EXIT_LOAD
    try:
        limit = (spec["memory_mib"] + _EXTRA_MIB) << 20
        # macOS has no limit on the data of a process.
        if sys.platform.startswith("linux"):
            resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
        bot = loader.load(spec["bot_dir"], dialogue.log_exception)
        skipped = dialogue.Skipped(bot)
        ready = {"ready": True, "load_ms": round((time.monotonic() - started) * 1000), "skips": skipped.names}
        os.write(link, json.dumps(ready).encode() + b"\n")
        code = _EXIT_CLOSED
        dialogue.converse(bot, spec["player_id"], link, skipped)
    except loader.LoadError as error:
        os.write(link, json.dumps({"ready": False, "error": str(error), "line": error.line}).encode() + b"\n")
    except ConnectionError:
        pass
    finally:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        # Threads of the bot must not keep the seat alive.
        os._exit(code if threading.current_thread() is threading.main_thread() else 1)
