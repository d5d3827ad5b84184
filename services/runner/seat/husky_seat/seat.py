"""The process of one seat, from fork to exit: descriptors, sandbox, the bot's code, the dialogue."""

import gc
import io
import json
import os
import random
import sys
import tempfile
import time
from typing import Any, Dict, List, Optional, Tuple

from husky_seat import dialogue, loader, output, probe, sockets
from husky_seat.confine import API_DIR, FIRST_PAIR, LINK, SCRATCH_MOUNT, ConfineError, Means, confine
from husky_seat.exits import CONFINED, EXIT_CLOSED, EXIT_HOST, EXIT_LOAD
from husky_seat.kernel import name_process
from husky_seat.randomness import SEED_BYTES, seed_generators
from husky_seat.shown import Shown


def run(spec: Dict[str, Any], means: Means, link: int, log: int, randomness: int, parent: int) -> None:
    """Runs the seat that `spec` describes in the calling process; never returns. `randomness`: descriptor with the seed of its randomness; -1: none."""
    code = EXIT_HOST
    stream = None
    try:
        started = time.monotonic()
        # Before the descriptors are set up. No variable of a frame that the bot can see holds it.
        _seed_randomness(randomness)
        _set_up_descriptors(link, log, spec["in_memory"])
        sockets.Pairs(FIRST_PAIR)
        stream = output.redirect()
        name_process(f"seat-{spec['seat']} load")
        tempfile.tempdir = None
        sys.argv[:] = [loader.FILE_NAME]
        try:
            spec = confine(spec, means, parent)
            if spec.get("probe"):
                sys.stdout.write(f"{json.dumps({'problems': probe.check_sandbox(spec, means, parent)})}\n")
                return
        except ConfineError as error:
            sys.stdout.write(f"{json.dumps({'failed': error.means, 'why': error.why})}\n")
            return
        os.write(1, CONFINED)
        loader.show = Shown(spec["bot_dir"], spec["packages_dir"], spec["scratch"]).text
        # It names the run directory.
        sys.orig_argv[:] = [os.path.basename(sys.executable), loader.FILE_NAME]
        sys.path[:] = [spec["bot_dir"], API_DIR, *([spec["packages_dir"]] if spec["packages_dir"] else []), *_library_path()]
        code = EXIT_LOAD
        bot, skipped = _load(spec, started)
        code = EXIT_CLOSED
        dialogue.converse(bot, spec["player_id"], LINK, skipped)
    except loader.LoadError:
        code = EXIT_LOAD
    except ConnectionError:
        code = EXIT_CLOSED
    except BaseException as error:
        code = 1 if code == EXIT_CLOSED else code
        dialogue.log_exception(error)
    finally:
        _end(stream, code)


def _seed_randomness(descriptor: int) -> None:
    """Seeds all generators from what the descriptor holds; -1: from the kernel."""
    if descriptor < 0:
        random.seed(os.urandom(32))
    else:
        seed_generators(os.read(descriptor, SEED_BYTES))

def _end(stream: Optional[io.TextIOWrapper], code: int) -> None:
    try:
        if stream is not None:
            stream.flush()
    finally:
        os._exit(code)


def _library_path() -> List[str]:
    own = (API_DIR, os.path.dirname(API_DIR))
    return [path for path in sys.path if path not in own]


def _set_up_descriptors(link: int, log: int, scratch: int) -> None:
    """Sets up empty standard input, the log as output and error, the link and, if not 0, the scratch mount; closes all other descriptors."""
    null = os.open("/dev/null", os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(log, 1)
    os.dup2(log, 2)
    os.dup2(link, LINK)
    first = LINK + 1
    if scratch:
        os.dup2(scratch, SCRATCH_MOUNT)
        first = SCRATCH_MOUNT + 1
    os.set_blocking(1, False)
    os.set_blocking(LINK, True)
    os.closerange(3, LINK)
    os.closerange(first, max(1024, os.sysconf("SC_OPEN_MAX")))


def _load(spec: Dict[str, Any], started: float) -> Tuple[Any, dialogue.Skipped]:
    try:
        bot = loader.load(spec["bot_dir"], dialogue.log_exception)
    except loader.LoadError as error:
        _send({"ready": False, "error": str(error), "line": error.line})
        raise
    skipped = dialogue.Skipped(bot)
    gc.collect()
    gc.freeze()
    name_process(f"seat-{spec['seat']} ready")
    _send({"ready": True, "load_ms": round((time.monotonic() - started) * 1000), "skips": skipped.names})
    return bot, skipped


def _send(message: Dict[str, Any]) -> None:
    os.write(LINK, json.dumps(message).encode() + b"\n")
