"""Checks a file of an upload without running it:

check.py player <runners' Python, as 3.11> [name of each package of requirements.txt]
check.py requirements <runners' Python> <runners' platform> <folders of packaging and pip-requirements-parser> [stored]

Reads the file from standard input and writes one JSON object: {"ok": true, "warnings": [...] or "lines": [...]} or
{"ok": false, "line": n or null, "problem": "..."}. Lines and tokens of player.py are counted before it is parsed, the tree before
it is compiled: Python takes time quadratic in what MAX_DEFINITIONS and the limits below it bound. In addition, memory and CPU time are limited;
the caller limits the wall time.
"""

import ast
import gc
import json
import os
import re
import resource
import sys

# The limit of files, below, would cut byte code.
sys.dont_write_bytecode = True
# Isolated mode leaves out the folder of the program.
sys.path.append(os.path.dirname(os.path.abspath(__file__)))

from imports import missing_imports  # noqa: E402
from newer_syntax import number_of, version_note  # noqa: E402
from simple_player import InvalidBot, look_for_bot  # noqa: E402
from source_text import BadText, decode_python, decode_requirements, lines_in  # noqa: E402

MEMORY_BYTES = 512 * 1024 * 1024
CPU_SECONDS = 3
# A bot of 28,000 lines of ordinary code has 190,000 tokens, 110,000 tree nodes and 1,500 definitions.
MAX_LINES = 50_000
MAX_TOKENS = 250_000
MAX_NODES = 250_000
MAX_DEFINITIONS = 4_000
MAX_DEPTH = 900
# Keywords of one call, class or pattern: each is compared with all others.
MAX_KEYWORDS = 2_000
# Names of functions times the functions, classes, lambdas and comprehensions inside each: each inner one copies the names.
MAX_INHERITED_NAMES = 500_000
# Fields of one f-string: Python 3.11 searches the string from its start for each.
MAX_FIELDS = 5_000
F_STRING = re.compile(r"\b(?:[fF][rR]?|[rR][fF])('{3}|\"{3}|'|\")((?:\\.|(?!\1)[^\\])*)", re.DOTALL)
TOKEN = re.compile(r"[\w.]+|[^\w\s.'\"]")
DEFINITIONS = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
FILES = {"player": "player.py", "requirements": "requirements.txt"}
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def too_large(count, maximum, what):
    return InvalidBot(f"player.py has {count:,} {what}; at most {maximum:,} are allowed.")


def check_text(source):
    """Raises InvalidBot for a file that would take long to parse."""
    lines = lines_in(source) + (not source.endswith(("\n", "\r")))
    if lines > MAX_LINES:
        raise too_large(lines, MAX_LINES, "lines")
    tokens = sum(1 for _ in TOKEN.finditer(source))
    if tokens > MAX_TOKENS:
        raise too_large(tokens, MAX_TOKENS, "words and operators")
    fields = max((match[2].count("{") for match in F_STRING.finditer(source)), default=0)
    if fields > MAX_FIELDS:
        raise too_large(fields, MAX_FIELDS, "fields in one f-string")


class Scopes:
    """Adds up the names that functions pass on to the functions, classes, lambdas and comprehensions inside them."""

    def __init__(self):
        self.names = [0]
        self.passes_on = [False]
        self.outer = [0]

    def enter(self, node, scope):
        """Counts a definition or a node with names in a scope. Returns the scope of its children. Call it level by level."""
        if isinstance(node, (*DEFINITIONS, *COMPREHENSIONS)):
            self.names.append(0)
            self.passes_on.append(not isinstance(node, ast.ClassDef))
            self.outer.append(scope)
            return len(self.names) - 1
        self.names[scope] += len(node.names) if isinstance(node, (ast.Global, ast.Nonlocal)) else 1
        return scope

    def check(self):
        inherited = 0
        inside = [0] * len(self.names)
        for scope in range(len(self.names) - 1, 0, -1):
            inherited += self.names[scope] * inside[scope] * self.passes_on[scope]
            inside[self.outer[scope]] += inside[scope] + 1
        if inherited > MAX_INHERITED_NAMES:
            raise too_large(inherited, MAX_INHERITED_NAMES, "names in functions, each counted for every function inside")


NAMED = frozenset((*DEFINITIONS, *COMPREHENSIONS, ast.arg, ast.alias, ast.Global, ast.Nonlocal))
# Where a list of keywords stands.
KEYWORDS = {ast.Call: "keywords", ast.ClassDef: "keywords", ast.MatchClass: "kwd_attrs"}


def check_tree(tree):
    """Raises InvalidBot for a tree that would take long to compile. Iterative, since a deep tree would exceed Python's recursion limit."""
    nodes = definitions = depth = 0
    scopes = Scopes()
    level = [(tree, 0)]
    while level:
        nodes += len(level)
        inner = []
        for node, scope in level:
            kind = type(node)
            # Most nodes are names, with a context, and constants; the others are looked at in full.
            if kind is ast.Name:
                if type(node.ctx) is ast.Store:
                    scopes.names[scope] += 1
                inner.append((node.ctx, scope))
                continue
            if not kind._fields or kind is ast.Constant:
                continue
            if kind in KEYWORDS:
                keywords = len(getattr(node, KEYWORDS[kind]))
                if keywords > MAX_KEYWORDS:
                    what = f"keywords in one call, class or pattern in line {node.lineno}"
                    raise InvalidBot(too_large(keywords, MAX_KEYWORDS, what).problem, node.lineno)
            if kind in NAMED:
                outer, scope = scope, scopes.enter(node, scope)
                definitions += scope != outer
            inner.extend([(child, scope) for child in ast.iter_child_nodes(node)])
        depth += 1
        if nodes > MAX_NODES:
            raise InvalidBot(f"player.py is too large: its syntax tree has more than {MAX_NODES:,} nodes.")
        if definitions > MAX_DEFINITIONS:
            raise InvalidBot(
                f"player.py defines more than {MAX_DEFINITIONS:,} functions, classes, lambdas and comprehensions."
            )
        if depth > MAX_DEPTH:
            raise InvalidBot(f"player.py is nested more than {MAX_DEPTH} levels deep.")
        level = inner
    scopes.check()


def check_player(data, python, *packages):
    """Returns warnings. Raises InvalidBot unless `data` is a module whose SimplePlayer is complete as far as its text shows."""
    if not data:
        raise InvalidBot("player.py is empty.")
    text = decode_python("player.py", data)
    check_text(text)
    try:
        # From the bytes, as the seat does.
        tree = ast.parse(data, "player.py", feature_version=number_of(python))
        check_tree(tree)
        # compile() detects errors that the parser accepts, for example return outside a function.
        compile(tree, "player.py", "exec", dont_inherit=True)
    except SyntaxError as error:
        where = f" in line {error.lineno}" if error.lineno else ""
        problem = f"player.py has a syntax error{where}: {error.msg}. {version_note(text, error, python)}"
        raise InvalidBot(problem, error.lineno or None) from None
    return look_for_bot(tree) + missing_imports(tree, packages)


def check_requirements(data, python, platform, libraries, *stored):
    sys.path.extend(libraries.split(os.pathsep))
    # Here, since a player.py is checked without these libraries.
    from requirements_file import read_requirements

    return read_requirements(decode_requirements("requirements.txt", data), python, platform, bool(stored))


def result_of(kind, data, arguments):
    """Checks a file and returns the object that the program writes."""
    try:
        if kind == "player":
            return {"ok": True, "warnings": check_player(data, *arguments)}
        return {"ok": True, "lines": check_requirements(data, *arguments)}
    except (InvalidBot, BadText) as error:
        return {"ok": False, "line": error.line, "problem": error.problem}
    except (RecursionError, MemoryError):
        return {"ok": False, "line": None, "problem": f"{FILES[kind]} is nested too deeply or is too complex to be checked."}


def main():
    # The tree lives until the end; looking through it for garbage takes half of the time.
    gc.disable()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    # Ends with SIGXCPU: SIGKILL, which two equal limits would send, is that of the system when memory is short.
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536))
    kind, *arguments = sys.argv[1:]
    sys.stdout.write(json.dumps(result_of(kind, sys.stdin.buffer.read(), arguments)))


if __name__ == "__main__":
    main()
