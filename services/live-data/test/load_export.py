"""Checks the descriptions of an unpacked export with their reference implementations and loads its tables, without network.

usage: load_export.py FOLDER CFF_SCHEMA    (packages: scripts/python/exports.txt; schema: of cffconvert)

mlcroissant and datasets of Hugging Face read every row of every table, and frictionless compares every value with its
schema. Exits with 1 if one of them finds a problem or another number of rows than the manifest.
"""

import json
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path

cache = tempfile.TemporaryDirectory()
os.environ |= {"HF_DATASETS_OFFLINE": "1", "HF_HUB_OFFLINE": "1", "HF_HOME": cache.name}

import datasets  # noqa: E402
import frictionless  # noqa: E402
import jsonschema  # noqa: E402
import mlcroissant  # noqa: E402
import yaml  # noqa: E402


def check(holds, failure):
    """Exits with a message unless a condition holds."""
    if not holds:
        sys.exit(f"NOT VALID: {failure}")


def main(folder, cff_schema):
    """Checks an export."""
    root = Path(folder)
    manifest = json.loads((root / "manifest.json").read_text())
    license = manifest["license"]
    rows = Counter()
    for file in manifest["files"]:
        rows[file["path"].split("/")[0]] += file.get("rows", 0)

    croissant = mlcroissant.Dataset(root / "croissant.json")
    issues = croissant.metadata.issues
    check(not issues.errors and not issues.warnings, issues.report())
    check(croissant.metadata.license == [license["text"]], "license of Croissant")
    for table in manifest["tables"]:
        found = sum(1 for _ in croissant.records(table))
        check(found == rows[table], f"{found} of {rows[table]} rows of {table} by mlcroissant")

    # frictionless does not count the bytes of Parquet; `make verify` does.
    os.chdir(root)
    report = frictionless.validate(
        "datapackage.json", checklist=frictionless.Checklist(skip_errors=["byte-count", "hash-count"])
    )
    check(report.valid, report.flatten(["name", "type", "fieldName", "note"])[:5])
    check(sum(task.stats["rows"] for task in report.tasks) == sum(rows.values()), "rows by frictionless")

    # Strings, as in JSON: YAML has dates.
    citation = yaml.load((root / "CITATION.cff").read_text(), Loader=yaml.BaseLoader)
    jsonschema.validate(citation, json.loads(Path(cff_schema).read_text()))
    check(citation["license"] == license["name"], "license of CITATION.cff")

    for table, columns in manifest["tables"].items():
        loaded = datasets.load_dataset(folder, table, split="train")
        check(loaded.num_rows == rows[table], f"{loaded.num_rows} of {rows[table]} rows of {table} by datasets")
        check(loaded.column_names == [column["name"] for column in columns], f"columns of {table} by datasets")
    print(f"valid: {len(manifest['tables'])} tables, {sum(rows.values())} rows, {license['name']}")


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]))
