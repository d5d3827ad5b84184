"""Output of commands: text, tables and progress for people, or one JSON document for programs."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import Any, Literal

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

EXIT_WRONG = 1
EXIT_USAGE = 2
EXIT_SITE = 3
EXIT_SIGNED_OUT = 4
EXIT_INTERRUPTED = 130


class Failure(Exception):
    """A failure with one sentence for the participant and an exit code (services/kit/README.md)."""

    def __init__(self, message: str, code: int = EXIT_USAGE) -> None:
        super().__init__(message)
        self.code = code


class ProgressBar:
    """A progress bar on standard error, as a context manager. Not shown where standard error is no terminal."""

    def __init__(self, console: Console, label: str, total: int, shown: bool) -> None:
        columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed:.0f}/{task.total:.0f}"), TimeRemainingColumn())
        self._progress = Progress(*columns, console=console, transient=True, disable=not shown)
        self._task: TaskID = self._progress.add_task(escape(label), total=total)

    def __enter__(self) -> ProgressBar:
        self._progress.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._progress.stop()

    def update(self, done: int, total: int | None = None) -> None:
        """Shows the number done; `total` replaces the total."""
        self._progress.update(self._task, completed=done, total=total)


class Output:
    """Standard output and standard error of a command.

    With `as_json`, line() and table() print nothing and result() prints the document; without it, result() prints nothing.
    """

    def __init__(self, as_json: bool = False, color: bool = True) -> None:
        self.as_json = as_json
        plain = True if not color or os.environ.get("NO_COLOR") else None
        # Piped text is not wrapped: its reader decides the width.
        width = None if sys.stdout.isatty() else 10_000
        # Without a colour system there is no bold either: no escape sequence at all.
        system: Literal["auto"] | None = None if plain else "auto"
        self.console = Console(no_color=plain, color_system=system, highlight=False, soft_wrap=True, width=width)
        self.errors = Console(stderr=True, no_color=plain, color_system=system, highlight=False, soft_wrap=True)

    def line(self, text: str | Text = "", style: str | None = None) -> None:
        """Prints a line of text. Square brackets are no markup."""
        if not self.as_json:
            self.console.print(text, style=style, markup=False)

    def note(self, text: str) -> None:
        """Prints a line to standard error, so that it does not mix with piped output."""
        if not self.as_json:
            self.errors.print(text, markup=False, style="dim")

    def table(self, columns: Sequence[str], rows: Iterable[Sequence[str]], left: int = 1) -> None:
        """Prints a table; the first `left` columns are aligned to the left, the others to the right."""
        if self.as_json:
            return
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
        for index, title in enumerate(columns):
            table.add_column(escape(title), justify="left" if index < left else "right", overflow="fold")
        for row in rows:
            table.add_row(*(escape(cell) for cell in row))
        if not sys.stdout.isatty():
            # A piped table is as wide as its content.
            self.console.print(table, width=max(20, self.console.measure(table).maximum), soft_wrap=False)
        else:
            self.console.print(table, soft_wrap=False)

    def progress(self, label: str, total: int) -> ProgressBar:
        """Returns a progress bar; it is shown only on a terminal and without --json."""
        return ProgressBar(self.errors, label, total, shown=sys.stderr.isatty() and not self.as_json)

    def result(self, value: Any) -> None:
        """Prints the JSON document of --json."""
        if self.as_json:
            print(json.dumps(value, ensure_ascii=False, indent=2))

    def fail(self, failure: Failure) -> None:
        """Prints a failure as one sentence on standard error, with --json also as a document."""
        self.errors.print(f"husky: {failure}", markup=False, style="bold red")
        self.result({"error": str(failure), "code": failure.code})
