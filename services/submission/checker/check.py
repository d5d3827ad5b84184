"""Static check of an uploaded player.py: parses and compiles it, never runs it.

Reads the file from standard input and writes one JSON object: {"ok": true} or
{"ok": false, "line": n or null, "problem": "..."}. Lines and tokens are counted before a byte is parsed, the tree before
it is compiled: compiling takes time quadratic in the number of definitions. In addition, memory and CPU time are limited;
the caller limits the wall time.
"""

import ast
import json
import re
import resource
import sys

METHODS = ("on_start", "on_round_start", "get_action", "on_end_round", "on_end_game")
MEMORY_BYTES = 512 * 1024 * 1024
CPU_SECONDS = 3
# A bot of 28,000 lines of ordinary code has 190,000 tokens, 110,000 tree nodes and 1,500 definitions.
MAX_LINES = 50_000
MAX_TOKENS = 250_000
MAX_NODES = 250_000
MAX_DEFINITIONS = 4_000
MAX_DEPTH = 900
TOKEN = re.compile(rb"[\w.]+|[^\w\s.'\"]")
DEFINITIONS = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
# Bases that are known to define none of the methods: the abstract bot itself and common mixins of the standard library.
PLATFORM_MODULES = {"bot", "type", "config"}


class InvalidBot(Exception):
    """The file is not a bot. `line`: the line of the problem, or None."""

    def __init__(self, problem, line=None):
        super().__init__(problem)
        self.problem = problem
        self.line = line


def too_large(count, maximum, what):
    return InvalidBot(f"player.py has {count:,} {what}; at most {maximum:,} are allowed.")


def check_text(source):
    """Raises InvalidBot for a file that would take long to parse."""
    lines = source.count(b"\n") + (not source.endswith(b"\n"))
    if lines > MAX_LINES:
        raise too_large(lines, MAX_LINES, "lines")
    tokens = sum(1 for _ in TOKEN.finditer(source))
    if tokens > MAX_TOKENS:
        raise too_large(tokens, MAX_TOKENS, "words and operators")


def check_tree(tree):
    """Raises InvalidBot for a tree that would take long to compile. Iterative, since a deep tree would exceed Python's recursion limit."""
    nodes = definitions = depth = 0
    level = [tree]
    while level:
        nodes += len(level)
        definitions += sum(isinstance(node, (*DEFINITIONS, *COMPREHENSIONS)) for node in level)
        depth += 1
        if nodes > MAX_NODES:
            raise InvalidBot(f"player.py is too large: its syntax tree has more than {MAX_NODES:,} nodes.")
        if definitions > MAX_DEFINITIONS:
            raise InvalidBot(
                f"player.py defines more than {MAX_DEFINITIONS:,} functions, classes, lambdas and comprehensions."
            )
        if depth > MAX_DEPTH:
            raise InvalidBot(f"player.py is nested more than {MAX_DEPTH} levels deep.")
        level = [child for node in level for child in ast.iter_child_nodes(node)]


def module_statements(body):
    """Yields the statements that run at module level, including those inside if, try, with, for, while and match."""
    waiting = list(reversed(body))
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        inner = [statement for field in ("body", "orelse", "finalbody") for statement in getattr(node, field, [])]
        for part in (*getattr(node, "handlers", []), *getattr(node, "cases", [])):
            inner.extend(part.body)
        waiting.extend(reversed(inner))


def is_abstract(node):
    return any("abstract" in ast.unparse(decorator) for decorator in node.decorator_list)


def names_defined(body):
    """Returns the names that a class's own body binds to something callable, except abstract methods."""
    names = set()
    for node in module_statements(body):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            (names.discard if is_abstract(node) else names.add)(node.name)
        elif isinstance(node, ast.Assign):
            names.update(target.id for target in node.targets if isinstance(target, ast.Name))
        elif isinstance(node, ast.AnnAssign) and node.value is not None and isinstance(node.target, ast.Name):
            names.add(node.target.id)
    return names


class Module:
    """The bindings of a file at module level: classes, other names, and attributes that are set on names later."""

    def __init__(self, tree):
        self.bound = {}
        self.attributes = {}
        self.has_star_import = False
        for node in module_statements(tree.body):
            self.read(node)

    def read(self, node):
        if isinstance(node, ast.ClassDef):
            self.bound[node.name] = node
        elif isinstance(node, ast.Import):
            for alias in node.names:
                self.bound[alias.asname or alias.name.split(".")[0]] = alias.name
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                self.has_star_import = self.has_star_import or alias.name == "*"
                self.bound[alias.asname or alias.name] = node.module or ""
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    self.bound[target.id] = node.value
                elif isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
                    self.attributes.setdefault(target.value.id, set()).add(target.attr)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
            self.bound[node.target.id] = node.value
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            call = node.value
            if isinstance(call.func, ast.Name) and call.func.id == "setattr" and len(call.args) == 3:
                target, name = call.args[:2]
                if isinstance(target, ast.Name) and isinstance(name, ast.Constant) and isinstance(name.value, str):
                    self.attributes.setdefault(target.id, set()).add(name.value)

    def lookup(self, name):
        """Follows aliases of a name. Returns (class definition or None, whether the value is unknown)."""
        for _ in range(20):
            found = self.bound.get(name)
            if isinstance(found, ast.ClassDef):
                return found, False
            if isinstance(found, ast.Name) and found.id != name:
                name = found.id
                continue
            if found is None:
                return None, self.has_star_import
            if isinstance(found, str):
                root = found.split(".")[0]
                return None, root not in PLATFORM_MODULES and root not in sys.stdlib_module_names
            return None, True
        return None, True

    def methods_of(self, player):
        """Returns (names defined by the class and its bases, whether an unknown base may define more)."""
        names, unknown = set(), False
        waiting, seen = [player], {player}
        while waiting:
            node = waiting.pop()
            names |= names_defined(node.body) | self.attributes.get(node.name, set())
            # A metaclass may add any attribute.
            unknown = unknown or any(
                keyword.arg == "metaclass" and "ABC" not in ast.unparse(keyword.value) for keyword in node.keywords
            )
            for base in node.bases:
                found, is_unknown = self.origin_of(base)
                unknown = unknown or is_unknown
                if found is not None and found not in seen:
                    seen.add(found)
                    waiting.append(found)
        return names, unknown

    def origin_of(self, base):
        """Resolves an expression in a list of bases. Returns (class definition or None, whether the value is unknown)."""
        if isinstance(base, ast.Name):
            return self.lookup(base.id)
        root = base
        while isinstance(root, ast.Attribute):
            root = root.value
        if root is base or not isinstance(root, ast.Name):
            return None, True
        return None, self.lookup(root.id)[1]


def join_names(names):
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def check(source):
    """Raises InvalidBot unless `source` (bytes) is a module with a complete SimplePlayer."""
    check_text(source)
    tree = ast.parse(source, "player.py")
    check_tree(tree)
    # compile() detects errors that the parser accepts, for example return outside a function.
    compile(tree, "player.py", "exec", dont_inherit=True)
    module = Module(tree)
    if "SimplePlayer" not in module.bound and not module.has_star_import:
        raise InvalidBot("player.py has no class SimplePlayer at module level.")
    player, unknown = module.lookup("SimplePlayer")
    if player is None:
        if unknown or isinstance(module.bound.get("SimplePlayer"), str):
            return
        raise InvalidBot("SimplePlayer in player.py is not a class.")
    names, unknown = module.methods_of(player)
    names |= module.attributes.get("SimplePlayer", set())
    missing = [method for method in METHODS if method not in names]
    if missing and not unknown:
        word = "method" if len(missing) == 1 else "methods"
        problem = f"The class SimplePlayer in line {player.lineno} of player.py lacks the {word} {join_names(missing)}."
        raise InvalidBot(problem, player.lineno)


def result_of(source):
    """Checks `source` and returns the object that the program writes."""
    try:
        check(source)
    except SyntaxError as error:
        line = error.lineno or None
        where = f" in line {line}" if line else ""
        return {"ok": False, "line": line, "problem": f"player.py has a syntax error{where}: {error.msg}."}
    except InvalidBot as error:
        return {"ok": False, "line": error.line, "problem": error.problem}
    except (RecursionError, MemoryError):
        return {"ok": False, "line": None, "problem": "player.py is nested too deeply or is too complex to be checked."}
    except (ValueError, LookupError) as error:
        return {"ok": False, "line": None, "problem": f"player.py cannot be read as Python: {str(error).splitlines()[0][:200]}."}
    return {"ok": True}


def main():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    # Ends with SIGXCPU: SIGKILL, which two equal limits would send, is that of the system when memory is short.
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536))
    source = sys.stdin.buffer.read()
    sys.stdout.write(json.dumps(result_of(source)))


if __name__ == "__main__":
    main()
