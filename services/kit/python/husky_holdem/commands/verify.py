"""`husky verify`: re-deals the hands of match files from their seeds and compares them."""

from __future__ import annotations

import argparse
import json
import zipfile
from typing import Any

from husky_holdem import nonces
from husky_holdem.chain import alarm_text, compare, known_keys, site_of
from husky_holdem.credentials import origin_of
from husky_holdem.node import run_node
from husky_holdem.output import EXIT_USAGE, EXIT_WRONG, Failure, Output

NAME = "verify"
HELP = "Deals a match again from its seed and compares every hand, and the site's chain with what it signed."
EXAMPLES = """
husky verify match.jsonl             # from husky play, husky download or the site
husky verify batch-12.zip            # every match of a batch
husky verify tournament-cup.json      # from husky tournament cup --out
husky verify match.jsonl --json
"""
EPILOG = """\
Deals and plays every hand again and compares every value of the file, and lists what nobody can compute. For a file of
a site where you are signed in, or have been, it also compares the site's chain of commitments with the signed heads
that this kit keeps (docs/fairness.md). A chain that was rewritten gives a proof, which `husky verify PROOF.json` checks.
Ends with 0 if all is as committed, with 1 at the first difference, with 2 for a file that cannot be read."""

_MAX_LINE = 8 << 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of this command."""
    parser.add_argument("file", metavar="FILE", help="a match file (JSON lines, PHH or CSV), the zip archive of a batch, or the document of a tournament or a proof (.json)")
    parser.add_argument("--key", action="append", default=[], help="a key of the site, from its fairness page: the file's signature is checked with it")
    parser.add_argument("--offline", action="store_true", help="do not call the site")
    parser.epilog = f"{parser.epilog}\n\n{EPILOG}"


def run(args: argparse.Namespace, out: Output) -> int:
    """Verifies a file. Raises Failure at the first difference."""
    archive = args.file.endswith(".zip")
    manifest = _manifest(args.file, archive)
    command = "verify-batch" if archive else "verify"
    if args.file.endswith(".json"):
        frozen = manifest.get("list")
        if not isinstance(frozen, dict):
            return _verify_proof(args.file, out)
        command = "verify-tournament"
        manifest = {"source": manifest.get("source"), "commitment_record": frozen.get("record")}
    chain, sentence = (None, "") if args.offline else _chain_of(manifest, out)
    alarm = alarm_text(chain["alarm"]) if chain and chain["alarm"] else ""
    try:
        found = run_node(command, {"path": args.file, "keys": [*args.key, *known_keys()]})
    except Failure as failure:
        raise Failure(f"{failure} {alarm}".rstrip(), failure.code) from failure
    if "entrants" in found:
        _show_tournament(found, out)
    elif "matches" in found:
        out.line(f"Verified: {found['matches']:,} matches, {found['hands']:,} hands and {found['actions']:,} actions follow from the committed seeds.")
        if found.get("planned"):
            out.line(found["planned"])
        if found.get("unpublished"):
            out.line(f"The seeds of {found['unpublished']:,} matches are not published yet; these were not verified.")
    else:
        out.line(f"Verified: all {found['hands']:,} hands and {found['actions']:,} actions follow from the committed seed.")
        record = found["record"]
        in_chain = "no record in a chain (a local match)" if record is None else f"record {record:,} of the site's chain"
        out.line(f"Commitment {found['commitment']}, {in_chain}.")
    if "entrants" not in found:
        out.line("Checked: cards, stacks, blinds, positions, actions, pots and results of every hand, bots and settings.")
    out.line(_signature_text(found["signature"]))
    own = _own_nonce(manifest)
    if own:
        out.line(own)
    if sentence:
        out.line(sentence)
    out.line("Not covered:")
    for entry in found["not_covered"]:
        out.line(f"- {entry['what']}: {entry['why']}")
    if alarm:
        raise Failure(alarm, EXIT_WRONG)
    out.result({"verified": True, **found, "chain": chain and {key: chain[key] for key in ("head", "from", "complete")}})
    return 0


def _show_tournament(found: dict[str, Any], out: Output) -> None:
    out.line(f"Verified: {found['entrants']:,} entrants and their bots were frozen in record {found['record']:,} of the site's chain.")
    for stage in found["stages"]:
        tables, meetings = (_range_text(stage[key]) for key in ("tables_each", "meetings"))
        out.line(f"{stage['name']}: {stage['players']:,} players at {tables} tables each, two of them together at {meetings}; plan in record {stage['record']:,}.")
    out.line("Checked: plans against the list, ranks, draws and cuts against the winnings.")
    out.line(f"Champion: {found['champion'] or 'none'}")


def _range_text(counts: dict[str, int]) -> str:
    low, high = counts["min"], counts["max"]
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def _verify_proof(path: str, out: Output) -> int:
    found = run_node("verify-proof", {"path": path})
    out.line(f"Proven: {found['shown']}")
    for key in found["keys"]:
        out.line(f"Signed with {key}")
    out.line("Compare the keys with those that the site, or its other participants, show.")
    out.result({"proven": True, **found})
    return 0


def _own_nonce(manifest: dict[str, Any]) -> str:
    try:
        return nonces.check(origin_of(str(manifest.get("source"))), manifest)
    except Failure as failure:
        if failure.code == EXIT_USAGE:
            return ""
        raise


def _signature_text(signature: dict[str, Any]) -> str:
    if signature["state"] == "signed":
        return f"Signed by the site with the key {signature['key']}."
    if signature["state"] == "unsigned":
        return "Not signed: a local match, or a file of an earlier release."
    return f"Signature not checked: the key {signature['key']} is not known here. The site's fairness page shows its keys: --key KEY."


def _manifest(path: str, archive: bool) -> dict[str, Any]:
    """Returns the manifest of a file; empty if it cannot be read, which the verification then reports."""
    try:
        if archive:
            with zipfile.ZipFile(path) as file:
                text = file.read("manifest.json").decode()
        else:
            with open(path, encoding="utf-8") as lines:
                text = lines.read() if path.endswith(".json") else lines.readline(_MAX_LINE).removeprefix("# manifest ")
        found = json.loads(text)
        return found if isinstance(found, dict) else {}
    except (OSError, ValueError, KeyError, zipfile.BadZipFile):
        return {}


def _chain_of(manifest: dict[str, Any], out: Output) -> tuple[dict[str, Any] | None, str]:
    """Compares the chain of the site that a manifest names. Returns the comparison, and a sentence about it."""
    source = manifest.get("source")
    if not isinstance(source, str):
        return None, ""
    try:
        origin = origin_of(source)
    except Failure:
        return None, ""
    site = site_of(origin, out)
    if site is None:
        return None, f"The chain of {origin} was not compared: this kit keeps nothing of that site (husky login)."
    record = manifest.get("commitment_record")
    try:
        chain = compare(site, record if isinstance(record, dict) else None)
    except (Failure, OSError) as error:
        return None, f"The chain of {origin} was not compared: {error}"
    return chain, "" if chain["alarm"] else _chain_text(origin, chain)


def _chain_text(origin: str, chain: dict[str, Any]) -> str:
    head, start = chain["head"], chain["from"]
    if head is None:
        return f"{origin} has no chain yet."
    if start is None:
        return f"Kept the head of the chain of {origin}, record {head['number']:,}, and its key: later calls compare with them."
    if not chain["complete"]:
        return f"The chain of {origin} has not changed from record {start:,} on; there are more new records than one call reads: run it again."
    return f"The chain of {origin} has not changed since this kit saw it: records {start:,} to {head['number']:,}."
