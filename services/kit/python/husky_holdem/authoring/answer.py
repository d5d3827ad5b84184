"""Takes the files of a bot out of a model's answer. Only these two files are ever taken, whatever the answer names or asks for."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

PLAYER, REQUIREMENTS = "player.py", "requirements.txt"
_FENCE = re.compile(r"([ \t>]*)(`{3,}|~{3,})[ \t]*(.*?)[ \t]*")
_NAME = re.compile(r"[\w./\\-]*[\w-]\.(?:py|txt|toml|json|md|cfg|ya?ml|sh|ini)\b")
_CLASS = re.compile(r"^class\s+SimplePlayer\b", re.MULTILINE)
_START = re.compile(r"^(?:from|import|class|def|@|#!?|\"\"\")", re.MULTILINE)
_THOUGHT = re.compile(r"\s*<(think|thinking|reasoning)>.*?</\1>", re.DOTALL)


class NoBot(Exception):
    """An answer without a bot; the message is a sentence for the model and the researcher."""


@dataclass
class Files:
    """The files of an answer, and what was remarkable about it."""

    player: str
    requirements: str = ""
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class _Block:
    name: str
    text: str
    closed: bool


def files_of(answer: str, refusal: str = "", cut: str = "") -> Files:
    """Returns the files. The last complete block that defines SimplePlayer is player.py. `cut`: why the answer is incomplete. Raises NoBot."""
    text = _THOUGHT.sub("", answer.replace("\r\n", "\n"), count=1)
    if not text.strip():
        raise NoBot(f"The model refused: {_short(refusal)}" if refusal else f"The answer was cut off {cut}, before any code." if cut else "The answer was empty.")
    blocks = _blocks(text)
    bots = [block for block in blocks if block.name in (PLAYER, REQUIREMENTS, "") and _CLASS.search(block.text)]
    candidates = bots or [block for block in blocks if block.name == PLAYER]
    if cut:  # A block that the end of the answer has cut is half a program.
        candidates = [block for block in candidates if block.closed]
    if not candidates and not blocks and _CLASS.search(text) and not cut:
        found = _START.search(text)
        return Files(text[found.start() if found else 0 :], notes=["The answer has no code block: all from the first line of code was taken."])
    if not candidates:
        raise NoBot(f"The answer was cut off {cut}, before player.py was complete." if cut else _without(refusal, text))
    requirements = [block for block in blocks if block.name == REQUIREMENTS and block not in bots and (block.closed or not cut)]
    return Files(candidates[-1].text, requirements[-1].text if requirements else "", _notes(blocks, candidates, requirements))


def _without(refusal: str, text: str) -> str:
    return f"The answer has no player.py: no code block defines class SimplePlayer. It begins: {_short(refusal or text)}"


def _notes(blocks: list[_Block], candidates: list[_Block], requirements: list[_Block]) -> list[str]:
    notes = []
    for name, found in ((PLAYER, candidates), (REQUIREMENTS, requirements)):
        if len(found) > 1:
            notes.append(f"The answer has {len(found)} blocks of {name}: the last was taken.")
    if not candidates[-1].closed:
        notes.append("The code block was not closed: all to the end of the answer was taken.")
    others = sorted({block.name for block in blocks if block.name not in (PLAYER, REQUIREMENTS, "")})
    if others:
        notes.append(f"Left out, as a bot is one file: {', '.join(others)}.")
    return notes


def _blocks(text: str) -> list[_Block]:
    """Returns the fenced blocks, as CommonMark reads them, but with any indentation. An open one lasts to the end."""
    blocks: list[_Block] = []
    lines = text.split("\n")
    opened, before = -1, ""
    fence = indent = info = ""
    for at, line in enumerate([*lines, ""]):
        found = _FENCE.fullmatch(line)
        if opened < 0:
            if found and not (found[2][0] == "`" and "`" in found[3]):
                opened, indent, fence, info = at, found[1], found[2], found[3]
            elif line.strip():
                before = line
            continue
        closes = found is not None and not found[3] and found[2][0] == fence[0] and len(found[2]) >= len(fence)
        if closes or at == len(lines):
            content = [one.removeprefix(indent) for one in lines[opened + 1 : at]]
            blocks.append(_Block(_name(info, before, content[0] if content else ""), "\n".join(content).rstrip("\n") + "\n", closes))
            opened, before = -1, ""
    return blocks


def _name(info: str, before: str, first: str) -> str:
    """Returns the file that a block is: by its info string, a comment in its first line, or the line before it; '' if none names one."""
    comment = first if first.lstrip().startswith(("#", "//", "<!--")) else ""
    if info.split(" ")[0] in ("bash", "console", "sh", "shell"):  # A command that mentions a file.
        comment = before = ""
    for text in (info, comment, before):
        names = {re.split(r"[/\\]", found)[-1] for found in _NAME.findall(text)}
        if len(names) == 1:
            return _short(names.pop(), 60)
    return ""


def _short(text: str, length: int = 200) -> str:
    """Returns a text on one line, without control characters."""
    line = " ".join("".join(char if char.isprintable() or char.isspace() else "?" for char in text[: 4 * length]).split())
    return line if len(line) <= length else f"{line[:length]}..."
