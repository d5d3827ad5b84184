"""Shows on a site how a bot was written: packs the rounds of an author's folder, and uploads the archive."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
from pathlib import Path
from typing import Any

from husky_holdem import __version__
from husky_holdem.site import Site

AUDIENCES = ("private", "rounds", "code")
_FILES = ("player.py", "requirements.txt")


def publish(folder: Path, submission: str, shown: str, site: Site) -> None:
    """Uploads the archive of a folder for its submission unless it is there, and sets what everybody sees. Raises Failure."""
    site.upload(f"/submission/authoring?submission_id={submission}", {"archive": ("authoring.tar.gz", pack(folder))})
    site.post("/submission/authoring/show", {"submission_id": submission, "shown": shown})


def pack(folder: Path) -> bytes:
    """Returns the archive: authoring.json and the files of the rounds. Equal rounds have equal bytes."""
    summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    files = {"authoring.json": json.dumps(_record(summary, folder)).encode()}
    for one in summary["rounds"]:
        for file in (folder / f"round-{one['round']:02}" / name for name in _FILES):
            if file.exists():
                files[f"{file.parent.name}/{file.name}"] = file.read_bytes()
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for name, data in files.items():
            about = tarfile.TarInfo(name)
            about.size = len(data)
            tar.addfile(about, io.BytesIO(data))
    return gzip.compress(packed.getvalue(), mtime=0)


def _record(summary: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Returns what the site accepts (services/lib/contracts/src/authoring.ts). Names of folders of this machine are left out."""
    table, prompts = summary["table"], summary["prompts"]
    return {
        "format": 1,
        "kit": __version__,
        "model": _line(summary["model"], 100),
        "model_version": _line(summary["model_version"] or "", 100) or None,
        "prompt": {"name": _line(prompts["name"], 50), "version": _line(prompts["version"], 25), "sha256": prompts["sha256"]},
        "field": [_line(Path(bot).name, 50) for bot in table["field"]],
        "hands": table["hands"] * table["sets"] * (len(table["field"]) + 1),
        "rounds": [_round(one, folder / f"round-{one['round']:02}") for one in summary["rounds"]],
        "best_round": summary["best_round"],
        "tokens": _tokens(summary["usage"]),
        "cost_usd": summary["cost_usd"],
    }


def _round(one: dict[str, Any], folder: Path) -> dict[str, Any]:
    found = one["bb_per_100"]
    return {
        "ok": one["ok"],
        "verdict": _line(one["verdict"].replace(f"{folder}/", ""), 250) or "-",
        "bb_per_100": found and {key: found[key] for key in ("mean", "low", "high")},
        "tokens": _tokens(one["usage"]),
        "cost_usd": one["cost_usd"],
    }


def _tokens(usage: dict[str, int]) -> dict[str, int]:
    return {key: usage[key] for key in ("input", "output")}


def _line(text: str, length: int) -> str:
    """Returns a text as one line of printable characters."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())[:length]
