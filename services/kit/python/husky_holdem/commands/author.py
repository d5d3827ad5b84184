"""`husky author`: has a language model write a bot in rounds."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from husky_holdem.authoring.budget import Budget, estimate_tokens, read_price
from husky_holdem.authoring.evaluate import Table, show_result
from husky_holdem.authoring.model import DEFAULT_KEY, Model, Server, base_url, take_key
from husky_holdem.authoring.prompts import load_prompts
from husky_holdem.authoring.publish import AUDIENCES, publish
from husky_holdem.authoring.rounds import Author, Plan, slug
from husky_holdem.authoring.upload import upload_once
from husky_holdem.bots import find_bot
from husky_holdem.commands.play import MAX_HANDS, MAX_SEATS, whole_number
from husky_holdem.commands.trial import HOUSE, number
from husky_holdem.output import EXIT_WRONG, Failure, Output
from husky_holdem.site import Refusal, Site, connect

NAME = "author"
HELP = "Has a language model write a bot: asks, checks, plays, shows it the result, and asks again."
EXAMPLES = """
husky author --model gpt-x --rounds 5 --out mybot --max-cost 2 --prices prices.json
husky author --model qwen3 --base-url http://localhost:11434/v1 --param temperature=0.7
husky author --model gpt-x --dry-run                # prints the prompt and its size, without a call
husky author --model gpt-x --out mybot --submit     # continues the folder, then uploads the best round
husky author --model gpt-x --out mybot --submit --publish rounds
"""
EPILOG = """\
Any server with the chat API of OpenAI. The key is read from OPENAI_API_KEY (--key-env names another variable), and
is written nowhere. A price file is JSON: {"gpt-x": {"input": 1.25, "output": 10}}, dollars for a million tokens.
The folder has all rounds; a command that was stopped continues where it was. Needs: pip install 'openai>=3.57,<4'
Ends with 1 if no round has a bot, 3 if the model's server fails, 4 without a key or with a wrong one."""
MAX_ROUNDS = 50


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the model, the rounds and the limits."""
    parser.add_argument("--model", required=True, metavar="NAME", help="the model, as its server calls it")
    parser.add_argument("--base-url", metavar="URL", help="address of the API (OPENAI_BASE_URL, or OpenAI's)")
    parser.add_argument("--key-env", default=DEFAULT_KEY, metavar="VARIABLE", help=f"environment variable with the key ({DEFAULT_KEY})")
    parser.add_argument("--param", type=parameter, action="append", default=[], metavar="NAME=VALUE", help="parameter of the model, such as temperature=0.7; a value is JSON or text")
    parser.add_argument("--rounds", type=whole_number(1, MAX_ROUNDS), default=5, metavar="N", help="answers of the model (5)")
    parser.add_argument("--out", type=Path, metavar="DIR", help="folder of the rounds (authored/NAME)")
    parser.add_argument("--prompts", type=Path, metavar="DIR", help="folder with prompts.json, system.md, first.md and improve.md (the kit's)")
    parser.add_argument("--max-tokens", type=whole_number(1, 10**12), metavar="N", help="most tokens of all rounds, prompts included")
    parser.add_argument("--max-cost", type=number(0, 1e6), metavar="DOLLARS", help="most money of all rounds; needs --prices")
    parser.add_argument("--prices", type=Path, metavar="FILE", help="prices by model")
    parser.add_argument("--timeout", type=number(1, 86_400), default=600, metavar="SECONDS", help="longest silence of the server (600)")
    parser.add_argument("--retries", type=whole_number(0, 100), default=5, metavar="N", help="further tries of a call (5)")
    parser.add_argument("--field", nargs="+", default=list(HOUSE), metavar="BOT", help=f"1 to 5 opponents ({' '.join(HOUSE)})")
    parser.add_argument("--hands", type=whole_number(1, MAX_HANDS), default=100, metavar="N", help="hands of each rotation of the seats (100)")
    parser.add_argument("--sets", type=whole_number(2, 1000), default=10, metavar="N", help="deal sets of a round (10)")
    parser.add_argument("--seed", default="author", help="seed of the cards, the same in each round (author)")
    parser.add_argument("--jobs", type=whole_number(1, 64), default=0, metavar="N", help="matches at the same time (one for each core)")
    parser.add_argument("--no-sandbox", action="store_true", help="run the model's code also where the sandbox is incomplete")
    parser.add_argument("--dry-run", action="store_true", help="print the next prompt and its size, and ask nobody")
    parser.add_argument("--submit", action="store_true", help="upload the best round to the site of husky login")
    parser.add_argument("--publish", choices=AUDIENCES, metavar="WHAT", help="with --submit: show on the site how the bot was written: rounds, code (and rounds), or private")
    parser.epilog = f"{parser.epilog}\n\n{EPILOG}"


def run(args: argparse.Namespace, out: Output) -> int:
    """Writes the bot, and with --submit uploads it. Returns 1 if no round has a bot."""
    if args.publish and not args.submit:
        raise Failure("--publish needs --submit")
    if len(args.field) >= MAX_SEATS:
        raise Failure(f"a field has 1 to {MAX_SEATS - 1} opponents, not {len(args.field)}")
    for bot in args.field:
        find_bot(bot)
    url = base_url(args.base_url)
    price = read_price(args.prices, args.model) if args.prices else None
    if args.max_cost is not None and price is None:
        raise Failure("--max-cost needs --prices FILE with the price of the model")
    key = "" if args.dry_run else take_key(args.key_env, url)
    server = Server(args.model, url, key, args.key_env, dict(args.param), args.timeout, args.retries)
    table = Table(args.field, args.seed, args.hands, args.sets, args.jobs, not args.no_sandbox)
    plan = Plan(server, load_prompts(args.prompts), table, args.rounds, Budget(args.max_tokens, args.max_cost, price))
    folder = args.out or Path("authored") / slug(args.model)

    def on_event(event: dict[str, Any]) -> None:
        if event["event"] == "progress":
            bar.update(event["done"], event["total"])

    author = Author(folder, plan, out.line, on_event)
    author.check_plan()
    if args.dry_run:
        return _print_prompt(author, plan, out)
    site = connect(out.note) if args.submit else None
    if site is not None:
        _check_token(site)
    model = Model(server, out.note)
    if author.next_round() <= args.rounds and not sandboxed(table, out):
        author.plan = replace(plan, table=replace(table, sandbox=False))
    with out.progress("playing", table.all_hands) as bar:
        summary = author.run(lambda: model)
    _print(summary, folder, out)
    if site is not None and summary["best"]:
        summary["uploaded"] = upload_once(folder, site, out)
        out.line(f"Submission {summary['uploaded']} was uploaded.")
        if args.publish:
            publish(folder, summary["uploaded"], args.publish, site)
            out.line(f"How it was written: {site.origin}/players/{site.username()} ({args.publish})")
    out.result(summary)
    return 0 if summary["best"] else EXIT_WRONG


def _check_token(site: Site) -> None:
    """Raises Failure before anything is paid if the token is not accepted, or its user is not verified."""
    site.username()
    try:
        site.get("/submission/list")
    except Refusal as refusal:
        if refusal.reason != "missing-scope":  # A token may upload without the right to read.
            raise


def sandboxed(table: Table, out: Output) -> bool:
    """Returns whether the code of a model runs in the site's sandbox here. Asks before it runs without. Raises Failure for a no."""
    sentence, complete = table.probe()
    out.note(sentence)
    if complete or not table.sandbox:
        return complete
    problem = "the code of a model would run here without the site's sandbox"
    if out.as_json or not sys.stdin.isatty():
        raise Failure(f"{sentence}: {problem}; --no-sandbox allows it")
    out.errors.print(f"{problem[0].upper()}{problem[1:]}, with your rights. Run it? [y/N] ", markup=False, end="")
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise Failure("stopped: nothing was asked and no bot was run")
    return False


def _print_prompt(author: Author, plan: Plan, out: Output) -> int:
    number = min(author.next_round(), plan.rounds)
    messages = author.messages(number)
    for message in messages:
        out.line(f"--- {message['role']}")
        out.line(message["content"])
    text = json.dumps(messages, ensure_ascii=False)
    size = {"round": number, "bytes": len(text.encode()), "tokens": estimate_tokens(text)}
    out.line("---")
    out.line(f"Prompt of round {number}: {size['bytes']:,} bytes, about {size['tokens']:,} tokens or fewer. Prompts: {plan.prompts.label}.")
    out.result({**size, "prompts": plan.prompts.hash, "messages": messages})
    return 0


def _print(summary: dict[str, Any], folder: Path, out: Output) -> None:
    cost = "" if summary["cost_usd"] is None else f", ${summary['cost_usd']:.4f}"
    estimated = summary["usage"]["estimated"]
    about = f" ({estimated:,} of them estimated)" if estimated else ""
    out.line(f"{summary['usage']['input']:,} tokens in, {summary['usage']['output']:,} out{about}{cost}")
    if summary["problem"]:
        out.line(summary["problem"], style="yellow")
    if summary["best"]:
        out.line(f"Best: round {summary['best_round']}, {show_result({'ok': True, **summary['best']})} big blinds per 100 hands without luck; {folder / 'best'}", style="green")
    else:
        out.line(f"No round has a bot that plays; {folder} has the answers.", style="red")


def parameter(text: str) -> tuple[str, Any]:
    """Returns name and value of a parameter."""
    name, equals, value = text.partition("=")
    if not equals or not name.isidentifier():
        raise argparse.ArgumentTypeError(f"'{text}' is no parameter such as temperature=0.7")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value
