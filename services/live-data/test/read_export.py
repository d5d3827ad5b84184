"""Reads an export with pyarrow, pandas, DuckDB and PokerKit and compares their results.

usage: python3 -m venv /tmp/readers && /tmp/readers/bin/pip install pyarrow pandas duckdb pokerkit==0.7.7
       /tmp/readers/bin/python read_export.py EXPORT.zip [PHH_FILES]

Exits with 1 if rows, sums or final stacks differ. PHH_FILES limits how many matches PokerKit plays (default 3; 0: all).
"""

import json
import sys
import tempfile
import tomllib
import zipfile
from pathlib import Path

import duckdb
import pandas
import pyarrow.compute
import pyarrow.dataset

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "lib/match/test"))
from read_phh import compare  # noqa: E402


def check(holds, failure):
    """Exits with a message unless a condition holds."""
    if not holds:
        sys.exit("NOT EQUAL: " + failure)


def main(file, phh_files=3):
    """Compares rows, sums and final stacks of an archive, and plays the hands of PHH files."""
    with tempfile.TemporaryDirectory() as folder:
        zipfile.ZipFile(file).extractall(folder)
        root = Path(folder)
        manifest = json.loads((root / "manifest.json").read_text())
        tables = {name: pyarrow.dataset.dataset(root / name, format="parquet") for name in manifest["tables"]}
        for name, columns in manifest["tables"].items():
            check(tables[name].schema.names == [column["name"] for column in columns], f"columns of {name}")
        hands = tables["hands"].to_table()
        check(hands.num_rows == manifest["hands"], "hands by pyarrow")
        check(str(hands.schema.field("started_at").type) == "timestamp[ms, tz=UTC]", "type of started_at")
        frame = pandas.read_parquet(root / "hand_players")
        check(frame["net"].sum() == 0, "chips are not conserved by pandas")
        query = duckdb.connect()
        view = lambda name: f"read_parquet('{root}/{name}/*.parquet')"  # noqa: E731
        for name in manifest["tables"]:
            rows = query.sql(f"SELECT count(*) FROM {view(name)}").fetchall()[0][0]
            check(rows == tables[name].count_rows(), f"rows of {name}: {rows} by DuckDB")
        wrong = query.sql(f"""
            SELECT count(*) FROM {view('results')} r JOIN (
              SELECT job_id, seat, sum(net) AS net FROM {view('hand_players')} GROUP BY ALL) h USING (job_id, seat)
            WHERE r.net <> h.net""").fetchall()[0][0]
        check(wrong == 0, f"{wrong} results differ from the sums of their hands")
        bots = query.sql(f"SELECT sum(delta) FROM {view('bots')}").fetchall()[0][0]
        check(bots == 0, "the bots' results do not add up to 0")
        played = odd = 0
        files = sorted((root / "phh").iterdir())
        check(len(files) == manifest["matches"], "number of PHH files")
        stacks = {(row["job_id"], row["seat"]): row["final_stack"] for row in tables["results"].to_table().to_pylist()}
        for path in files[: phh_files or None]:
            after = {}
            for number, hand in tomllib.loads(path.read_text()).items():
                outcome = compare(hand)
                check(outcome in ("", "odd chips"), f"{path.name}, hand {number}: {outcome}")
                odd += outcome != ""
                played += 1
                after |= zip(((hand["table"], seat) for seat in hand["seats"]), hand["finishing_stacks"])
            for key, stack in after.items():
                check(stacks[key] == stack, f"{path.name}: seat {key[1]} ends with {stack}, not {stacks[key]}")
        print(f"{manifest['hands']} hands equal by pyarrow, pandas and DuckDB; {played} played by PokerKit, {odd} with odd chips")


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
