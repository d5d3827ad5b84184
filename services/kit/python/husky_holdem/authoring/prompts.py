"""The prompts: templates in a folder, with parts of docs/bots.md, so that a model reads the rules that people read."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from husky_holdem.output import Failure
from husky_holdem.paths import data_folder

FILES = ("system.md", "first.md", "improve.md")
VALUES = {"first", "round", "rounds", "field", "hands", "seats", "stack", "blinds", "history", "shown", "last", "player", "requirements", "feedback"}
_PLACE = re.compile(r"\{\{(docs )?([^{}\n]+)\}\}")
_LINK = re.compile(r"\[([^\]\n]+)\]\([^)\n]*\)")


@dataclass(frozen=True)
class Prompts:
    """Templates by file, with the parts of the documents filled in. The hash covers every byte of them."""

    name: str
    version: str
    hash: str
    texts: Mapping[str, str]

    @property
    def label(self) -> str:
        """Name, version and the beginning of the hash."""
        return f"{self.name} {self.version} (sha256 {self.hash[:12]})"

    def system(self) -> str:
        """Returns the system message."""
        return self.texts["system.md"].strip()

    def user(self, values: Mapping[str, str] | None = None) -> str:
        """Returns the message of the first round, or with values that of a later one. Values are not searched for places."""
        if values is None:
            return self.texts["first.md"].strip()
        given = {**values, "first": self.texts["first.md"].strip()}
        return _PLACE.sub(lambda place: given[place[2]], self.texts["improve.md"]).strip()


def load_prompts(folder: Path | None) -> Prompts:
    """Reads the kit's prompts, or those of a folder. Raises Failure for a missing file or an unknown place."""
    source = folder or data_folder() / "prompts"
    read = {name: _read(source / name) for name in ("prompts.json", *FILES)}
    try:
        about = json.loads(read["prompts.json"])
        name, version = str(about["name"]), str(about["version"])
    except (ValueError, KeyError, TypeError):
        raise Failure(f'{source / "prompts.json"} is not of the form {{"name": "mine", "version": 1}}') from None
    sections = _sections(_read(data_folder() / "bots.md"))
    texts = {file: _fill(source / file, read[file], sections) for file in FILES}
    parts = [name, version, *(texts[file] for file in FILES)]
    return Prompts(name, version, sha256("\0".join(parts).encode()).hexdigest(), texts)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise Failure(f"{path.parent} has no {path.name}: prompts are prompts.json, {', '.join(FILES)}") from None
    except UnicodeDecodeError:
        raise Failure(f"{path} is no text in UTF-8") from None


def _fill(path: Path, text: str, sections: Mapping[str, str]) -> str:
    def part(place: re.Match[str]) -> str:
        if place[1]:
            if place[2] not in sections:
                raise Failure(f"{path}: docs/bots.md has no part '{place[2]}'; it has {', '.join(sections)}")
            return sections[place[2]]
        if path.name != "improve.md" or place[2] not in VALUES:
            raise Failure(f"{path}: unknown place {place[0]}; improve.md may have {', '.join(sorted(VALUES))}")
        return place[0]

    return _PLACE.sub(part, text)


def _sections(text: str) -> dict[str, str]:
    """Returns the parts of a Markdown document by their headings, each with its subordinate parts, without links."""
    lines, heads, fenced = text.split("\n"), [], False
    for at, line in enumerate(lines):
        fenced ^= line.startswith("```")
        if not fenced and (found := re.fullmatch(r"(#{1,6}) (.+)", line)):
            heads.append((at, len(found[1]), found[2]))
    sections = {}
    for number, (at, level, title) in enumerate(heads):
        end = next((other for other, depth, _ in heads[number + 1 :] if depth <= level), len(lines))
        sections[title] = _LINK.sub(r"\1", "\n".join(lines[at:end]).strip())
    return sections
