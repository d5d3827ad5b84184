"""Runs the authors of a benchmark side by side in one process, so that a kill ends all of them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from husky_holdem.authoring.bench_plan import Bench, BenchModel
from husky_holdem.authoring.model import Model
from husky_holdem.authoring.rounds import Author
from husky_holdem.node import end_all
from husky_holdem.output import Failure

_POLL_SECONDS = 0.2


def write_bots(bench: Bench, folder: Path, sandbox: bool, say: Callable[[str], None], note: Callable[[str], None]) -> dict[str, dict[str, Any]]:
    """Has every bot written that is not yet, and returns the summaries by bot. A bot whose author fails has a summary with `problem` only.

    Raises KeyboardInterrupt after all authors have ended.
    """
    waiting = bench.bots()
    summaries: dict[str, dict[str, Any]] = {}
    stopped = threading.Event()
    lock = threading.Lock()

    def work() -> None:
        while not stopped.is_set():
            with lock:
                if not waiting:
                    return
                name, model = waiting.pop(0)
            summaries[name] = _write(name, model)

    def _write(name: str, model: BenchModel) -> dict[str, Any]:
        def line(text: str) -> None:
            with lock:
                say(f"{name}: {text}")

        def check(_: dict[str, Any]) -> None:
            if stopped.is_set():
                raise KeyboardInterrupt

        def client() -> Model:
            return Model(model.server, lambda text: note(f"{name}: {text}"), stopped.is_set)

        try:
            return Author(folder / "bots" / name, bench.plan(model, sandbox), line, check).run(client)
        except Failure as failure:
            if not stopped.is_set():
                line(str(failure))
            return {"problem": str(failure), "code": failure.code}
        except KeyboardInterrupt:
            return {"problem": "stopped"}
        except Exception as error:  # One bot must not end the others.
            line(f"{type(error).__name__}: {error}")
            return {"problem": f"{type(error).__name__}: {error}"}

    threads = [threading.Thread(target=work, daemon=True) for _ in range(min(bench.parallel, len(waiting)))]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            while thread.is_alive():
                thread.join(_POLL_SECONDS)
    except KeyboardInterrupt:
        stopped.set()
        end_all()
        raise
    return {name: summaries[name] for name, _ in bench.bots()}
