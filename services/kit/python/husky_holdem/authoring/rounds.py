"""The author's loop: each round is a folder with prompt, answer, files and result, and can be killed anywhere and resumed."""

from __future__ import annotations

import fcntl
import json
import platform
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from husky_holdem import RULES_VERSION, __version__
from husky_holdem.authoring.answer import NoBot, files_of
from husky_holdem.authoring.budget import Budget, Calls, Usage, total
from husky_holdem.authoring.evaluate import Event, Table, evaluate, feedback_of, show_result
from husky_holdem.authoring.model import BudgetReached, Model, Server
from husky_holdem.authoring.prompts import Prompts
from husky_holdem.files import write_atomically, write_json
from husky_holdem.output import Failure

Ask = Callable[[], Model]


@dataclass(frozen=True)
class Plan:
    """What an author does. Everything but rounds and budget is fixed by the first run of a folder."""

    server: Server
    prompts: Prompts
    table: Table
    rounds: int
    budget: Budget

    def fixed(self) -> dict[str, Any]:
        """Returns what must be equal when a folder is resumed."""
        return {
            "model": self.server.model,
            "base_url": self.server.url,
            "parameters": dict(self.server.parameters),
            "prompts": {"name": self.prompts.name, "version": self.prompts.version, "sha256": self.prompts.hash},
            "table": {"field": list(self.table.field), "seed": self.table.settings["seed"], "hands": self.table.hands, "sets": self.table.sets},
            "rules_version": RULES_VERSION,
        }


class Author:
    """Writes a bot in rounds. `say` shows a line, `on_event` gets the dealer's events."""

    def __init__(self, folder: Path, plan: Plan, say: Callable[[str], None], on_event: Event) -> None:
        self.folder = folder
        self.plan = plan
        self._say = say
        self._on_event = on_event

    def run(self, model: Ask) -> dict[str, Any]:
        """Does the rounds that are missing and returns the summary, which is in summary.json too. Raises Failure."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with locked(self.folder):
            self._begin()
            problem = None
            for number in range(1, self.plan.rounds + 1):
                if self._result(number) is None:
                    try:
                        result = self._round(number, model)
                    except BudgetReached:
                        problem = f"The budget was reached before round {number} had an answer."
                        break
                    self._say(f"round {number} of {self.plan.rounds}: {show_result(result)}  {result['verdict']}")
            return self._finish(problem)

    def messages(self, number: int) -> list[dict[str, str]]:
        """Returns the prompt of a round: the stored one, or that which follows from the rounds before."""
        stored = _read_json(self._file(number, "prompt.json"))
        if isinstance(stored, list):
            return stored
        prompts = self.plan.prompts
        user = prompts.user(self._values(number) if number > 1 else None)
        return [{"role": "system", "content": prompts.system()}, {"role": "user", "content": user}]

    def next_round(self) -> int:
        """Returns the number of the first round without a result."""
        return next(number for number in range(1, self.plan.rounds + 2) if self._result(number) is None)

    def usage(self) -> Usage:
        """Returns the tokens of all rounds."""
        return total(self._calls(number).usage() for number in range(1, self.plan.rounds + 1))

    def check_plan(self) -> None:
        """Raises Failure if the folder was made with another plan."""
        given = self.plan.fixed()
        stored = _read_json(self.folder / "author.json")
        if not isinstance(stored, dict):
            return
        changed = [key for key, value in given.items() if stored.get(key) != json.loads(json.dumps(value))]
        if changed:
            raise Failure(f"{self.folder} was made with another {' and '.join(changed).replace('_', ' ')}: name another folder with --out")

    def _begin(self) -> None:
        self.check_plan()
        if not (self.folder / "author.json").exists():
            if any(not path.name.startswith(".") for path in self.folder.iterdir()):
                raise Failure(f"{self.folder} has other files: name another folder with --out")
            write_json(self.folder / "author.json", self.plan.fixed())

    def _round(self, number: int, model: Ask) -> dict[str, Any]:
        folder = self._file(number, "")
        folder.mkdir(exist_ok=True)
        messages = self.messages(number)
        write_json(folder / "prompt.json", messages)
        answer = _read_json(folder / "answer.json")
        if not isinstance(answer, dict):
            used = total(self._calls(other).usage() for other in range(1, self.plan.rounds + 1) if other != number)
            asked = model()
            reply = asked.ask(messages, self._calls(number), self.plan.budget, used)
            write_atomically(folder / "answer.txt", reply.text.encode("utf-8", "replace"))
            answer = {"cut": reply.cut, "refusal": reply.refusal, "model": reply.model, "client": f"openai {asked.version}"}
            write_json(folder / "answer.json", answer)
        result = self._judge(number, answer)
        usage = self._calls(number).usage()
        result = {
            "round": number,
            **result,
            "usage": asdict(usage),
            "cost_usd": usage.cost(self.plan.budget.price),
            "seed": self.plan.table.settings["seed"],
            "prompts": self.plan.prompts.hash,
            "versions": {"kit": __version__, "rules": RULES_VERSION, "python": platform.python_version(), "client": answer["client"], "model": answer["model"]},
            "sandbox": self.plan.table.sandbox,
        }
        write_json(folder / "result.json", result)
        return result

    def _judge(self, number: int, answer: dict[str, str]) -> dict[str, Any]:
        text = self._file(number, "answer.txt").read_text(encoding="utf-8")
        player, requirements = self._file(number, "player.py"), self._file(number, "requirements.txt")
        try:
            files = files_of(text, answer["refusal"], answer["cut"])
        except NoBot as reason:
            return {"ok": False, "verdict": str(reason)}
        write_atomically(player, files.player.encode("utf-8", "replace"))
        write_atomically(requirements, files.requirements.encode("utf-8", "replace"))
        return {**evaluate(player, requirements, self.plan.table, self._on_event), "notes": files.notes}

    def _finish(self, problem: str | None) -> dict[str, Any]:
        results = [result for number in range(1, self.plan.rounds + 1) if (result := self._result(number)) is not None]
        best = best_of(results)
        usage = self.usage()
        if best is not None:
            (self.folder / "best").mkdir(exist_ok=True)
            for name in ("player.py", "requirements.txt"):
                write_atomically(self.folder / "best" / name, self._file(best["round"], name).read_bytes())
        summary = {
            **self.plan.fixed(),
            "rounds": [{key: result.get(key) for key in ("round", "ok", "verdict", "bb_per_100", "bot_hash", "usage", "cost_usd")} for result in results],
            "best_round": best and best["round"],
            "best": best and {key: best[key] for key in ("bot_hash", "bb_per_100", "faults", "statistics")},
            "usage": asdict(usage),
            "cost_usd": usage.cost(self.plan.budget.price),
            "failures": [result["verdict"] for result in results if not result["ok"]],
            "problem": problem,
            "model_version": next((result["versions"]["model"] for result in results if result["versions"]["model"]), None),
        }
        write_json(self.folder / "summary.json", summary)
        return summary

    def _values(self, number: int) -> dict[str, str]:
        """Returns the values of the prompt of a later round: the history, and the code of the last round that had any."""
        results = [self._result(other) or {"ok": False, "verdict": "?"} for other in range(1, number)]
        table, settings = self.plan.table, self.plan.table.settings
        blind = settings["blinds"]["big_blind"]
        rows = [f"| {at} | {show_result(result)} | {_cell(result['verdict'])} |" for at, result in enumerate(results, 1)]
        best = best_of(results)
        written = [other for other in range(1, number) if self._file(other, "player.py").exists()]
        shown = best["round"] if best else written[-1] if written else None
        return {
            "round": str(number),
            "rounds": str(self.plan.rounds),
            "field": ", ".join(table.field),
            "hands": f"{table.all_hands:,}",
            "seats": str(len(table.field) + 1),
            "stack": f"{settings['starting_stack']:,}",
            "blinds": f"{max(1, blind // 2)}/{blind}",
            "history": "\n".join(["| round | result | verdict |", "|---|---|---|", *rows]),
            "shown": "No round has code yet" if shown is None else f"Round {shown}" + (", the best so far" if best else ", the last with code"),
            "last": str(number - 1),
            "player": "" if shown is None else self._text(shown, "player.py"),
            "requirements": "" if shown is None else self._text(shown, "requirements.txt"),
            "feedback": self._feedback(results, shown),
        }

    def _feedback(self, results: list[dict[str, Any]], shown: int | None) -> str:
        """Returns the feedback of the last round, with its code if that is not the one shown."""
        last = len(results)
        text = feedback_of(results[-1])
        if last == shown or not self._file(last, "player.py").exists():
            return text
        return f"{text}\n\nIts player.py:\n\n````python\n{self._text(last, 'player.py')}\n````"

    def _text(self, number: int, name: str) -> str:
        return self._file(number, name).read_text(encoding="utf-8").rstrip("\n")

    def _file(self, number: int, name: str) -> Path:
        return self.folder / f"round-{number:02}" / name

    def _calls(self, number: int) -> Calls:
        return Calls(self._file(number, "calls.jsonl"))

    def _result(self, number: int) -> dict[str, Any] | None:
        found = _read_json(self._file(number, "result.json"))
        return found if isinstance(found, dict) else None


def best_of(results: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Returns the round with the highest result without luck; None if all failed. The first of equal ones."""
    return max((result for result in results if result["ok"]), key=lambda result: float(result["bb_per_100"]["mean"]), default=None)


def slug(text: str) -> str:
    """Returns a text as a name of a folder or a user."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:40] or "model"


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keeps other processes out of a folder. The lock ends with this process. Raises Failure."""
    with (folder / ".lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Failure(f"another process works in {folder}: wait for it, or name another folder with --out") from None
        yield


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "/")[:300]


def _read_json(path: Path) -> Any:
    """Returns the value of a file that this module wrote; None without the file. Raises Failure for a damaged one."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except ValueError:
        raise Failure(f"{path} is damaged: delete it to do this step again") from None
