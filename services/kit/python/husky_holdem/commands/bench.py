"""`husky bench`: has several language models write several bots each, and ranks the models."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

from husky_holdem import RULES_VERSION, __version__
from husky_holdem.authoring.bench import write_bots
from husky_holdem.authoring.bench_plan import Bench, read_bench
from husky_holdem.authoring.bench_site import PASSWORD, BenchSite
from husky_holdem.authoring.report import local_estimates, make_table, metadata_of, print_table, site_estimates, write_report
from husky_holdem.authoring.rounds import locked
from husky_holdem.commands.author import sandboxed
from husky_holdem.credentials import origin_of
from husky_holdem.files import write_json
from husky_holdem.output import EXIT_WRONG, Failure, Output

NAME = "bench"
HELP = "Has language models write bots side by side, plays them on a site, and ranks the models with intervals."
EXAMPLES = """
husky bench models.yaml --out spring                              # the bots, and a table of their local sets
husky bench models.yaml --out spring --site http://localhost:8080 --admin admin
husky bench models.yaml --out spring --site https://holdem.example.org
"""
EPILOG = f"""\
models.yaml, with the values that are used without them:
  rounds: 5            # answers of a model for each bot
  repetitions: 2       # bots of a model
  parallel: 2          # bots written at the same time
  seed: author         # and hands: 100, sets: 10, field: [...], prompts: DIR, timeout: 600, retries: 5
  max_tokens: 0        # of each bot; 0: no limit. max_cost in dollars needs a price of each model
  batch: {{mode: duplicate, design: balanced, hand_budget: 60000, num_rounds: 100}}
  publish: ''          # what the site shows of how the bots were written: rounds, code (and rounds), private
  models:
    - name: gpt-x      # and label, version, provider, base_url, key_env, parameters: {{temperature: 1}}
      price: {{input: 1.25, output: 10}}
      tokens: [TOKEN_A, TOKEN_B]    # variables with an access token for each bot, where you are no admin
With --admin (password: {PASSWORD}) it registers a user for each bot, starts the batch, waits, and exports it.
Without, it uploads by the tokens and writes batch.json and metadata.json for an admin. What was done is not done
again: run the same command after a stop."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the file, the folder and the site."""
    parser.add_argument("file", type=Path, metavar="FILE", help="models.yaml")
    parser.add_argument("--out", type=Path, default=Path("bench"), metavar="DIR", help="folder of the benchmark (bench)")
    parser.add_argument("--site", metavar="URL", help="site on which the bots meet; without it they play locally only")
    parser.add_argument("--admin", metavar="USER", help=f"admin of the site, with the password in {PASSWORD}")
    parser.add_argument("--no-sandbox", action="store_true", help="run the models' code also where the sandbox is incomplete")
    parser.epilog = f"{parser.epilog}\n\n{EPILOG}"


def run(args: argparse.Namespace, out: Output) -> int:
    """Writes the bots, ranks the models, with a site by a batch. Returns 1 if a bot failed."""
    if args.admin and not args.site:
        raise Failure("--admin needs --site")
    bench = read_bench(args.file)
    args.out.mkdir(parents=True, exist_ok=True)
    with locked(args.out):
        site = BenchSite(origin_of(args.site), args.out, out) if args.site else None
        # Before anything is paid: a password that is wrong, a sandbox that is incomplete.
        admin = site.sign_in_admin(args.admin) if site and args.admin else None
        sandbox = not args.no_sandbox and sandboxed(bench.table, out)
        summaries = write_bots(bench, args.out, sandbox, out.line, out.note)
        about: dict[str, Any] = {
            "versions": {"kit": __version__, "rules": RULES_VERSION},
            "prompts": bench.prompts.label,
            "seed": bench.table.settings["seed"],
            "play": "local sets",
        }
        rows = make_table(bench, summaries, local_estimates(summaries))
        write_report(args.out, rows, about)
        if any("code" in one for one in summaries.values()):
            print_table(rows, out)
            raise Failure("not all bots were written: run the command again", max(one.get("code", 0) for one in summaries.values()))
        if site is not None:
            site.upload(bench, args.out, summaries, admin)
            if admin is None:
                return _leave_plan(bench, site, summaries, args.out, out)
            site.start(bench, lambda users: metadata_of(bench, summaries, users, _day(args.out)), admin)
            found = site.wait(admin)
            number, standings = found["batch"]["batch_number"], found["standings"]
            rows = make_table(bench, summaries, site_estimates(standings, site.state["users"]))
            about |= {"play": f"batch {number} of {site.state['site']}", "batch": number, "estimator": standings["pairs"]["estimator"]}
            about |= {"methodology_version": standings["methodology_version"], "failed_matches": found["batch"]["job_statuses"]["FAILED"]}
            write_report(args.out, rows, about)
            site.export(number, args.out, admin)
    print_table(rows, out)
    out.line(f"{about['play']}; table.json, table.csv and cost.svg in {args.out}")
    out.result({**about, "models": rows})
    return EXIT_WRONG if any(row["failed_bots"] for row in rows) else 0


def _leave_plan(bench: Bench, site: BenchSite, summaries: dict[str, Any], folder: Path, out: Output) -> int:
    """Writes what an admin needs to start the batch."""
    users = site.state["users"]
    plan = {"public": True, **bench.batch, "users_list": list(users.values())}
    for name, value in (("batch.json", plan), ("metadata.json", metadata_of(bench, summaries, users, _day(folder)))):
        write_json(folder / name, value)
    out.line(f"{len(users)} bots are final. An admin starts the batch: POST /llm/batch-run with {folder / 'batch.json'}, then its metadata with metadata.json.")
    out.result({"users": users, "batch": plan})
    return 0


def _day(folder: Path) -> str:
    """Returns the day on which the last bot was written."""
    return time.strftime("%Y-%m-%d", time.gmtime(max(file.stat().st_mtime for file in folder.glob("bots/*/round-*/result.json"))))
