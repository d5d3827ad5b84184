"""Looks for SimplePlayer and its methods in the syntax tree of a player.py, without running it.

A file is refused only if it certainly lacks them. What may come at run time, or from another file, is a warning.
"""

import ast
import sys

CLASS = "SimplePlayer"
METHODS = ("on_start", "on_round_start", "get_action", "on_end_round", "on_end_game")
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
# Bases that are known to define none of the methods: the abstract bot itself, and the standard library's.
PLATFORM_MODULES = {"bot", "type", "config"}
# What can define names that the text of a file does not show: functions, modules, attributes and methods.
FUNCTIONS = {"exec", "eval", "compile", "globals", "locals", "vars", "setattr", "__import__", "__builtins__"}
MODULES = {"builtins", "importlib", "runpy", "marshal", "pickle", "ctypes"}
ATTRIBUTES = {"__dict__", "__globals__", "__builtins__", "f_globals", "f_locals", "f_builtins", "modules"}
HOOKS = {"__getattr__", "__getattribute__", "__init_subclass__", "__set_name__", "__new__"}
HARMLESS_DECORATORS = {"dataclass", "final", "total_ordering"}


class InvalidBot(Exception):
    """The file is not a bot. `line`: the line of the problem, or None."""

    def __init__(self, problem, line=None):
        super().__init__(problem)
        self.problem = problem
        self.line = line


def look_for_bot(tree):
    """Returns warnings. Raises InvalidBot for a file that certainly has no SimplePlayer with the five methods."""
    module = Module(tree)
    candidates = module.values_of(CLASS)
    if not candidates and not module.dynamic and not module.has_star_import:
        raise InvalidBot(f"player.py has no class {CLASS} at module level.")
    classes = [found for found in candidates if isinstance(found, ast.ClassDef)]
    if not classes:
        return [f"{CLASS} cannot be seen in player.py{module.cause()}, so its methods were not checked. A test run shows whether the bot loads."]
    missing_of = {player: module.missing_methods(player) for player in classes}
    player = min(classes, key=lambda one: len(missing_of[one]))
    missing = missing_of[player]
    if not missing:
        return []
    word = "method" if len(missing) == 1 else "methods"
    sentence = f"The class {CLASS} in line {player.lineno} of player.py lacks the {word} {join_names(missing)}"
    if module.dynamic or len(classes) < len(candidates) or any(module.is_open(one) for one in classes):
        came = "it comes" if len(missing) == 1 else "they come"
        return [f"{sentence}, unless {came} from elsewhere{module.cause()}. A test run shows whether the bot loads."]
    raise InvalidBot(f"{sentence}.", player.lineno)


class Module:
    """What a file binds at module level, and what it may bind in ways that its text does not show."""

    def __init__(self, tree):
        self.bound = {}
        self.attributes = set()
        self.has_star_import = False
        self.dynamic = None
        for node in own_nodes(tree):
            self.read(node)
        for node in ast.walk(tree):
            self.read_anywhere(node)

    def read(self, node):
        """Reads a node that runs at module level."""
        if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            self.bind(node.name, node)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                self.bind(alias.asname or alias.name.split(".")[0], alias.name)
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                self.has_star_import = self.has_star_import or alias.name == "*"
                self.bind(alias.asname or alias.name, node.module or "")
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    self.bind(target.id, node.value)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            if node.value is not None:
                self.bind(node.target.id, node.value)
        else:
            # Loops, with, tuples, walrus, match: the value is not known.
            for name in names_stored_by(node):
                self.bind(name, None)

    def read_anywhere(self, node):
        if isinstance(node, ast.Attribute):
            if isinstance(node.ctx, ast.Store):
                self.attributes.add(node.attr)
            self.note(node.attr in ATTRIBUTES or (node.attr in ("__bases__", "__class__") and isinstance(node.ctx, ast.Store)), node.attr, node)
        elif isinstance(node, ast.Name):
            self.note(node.id in FUNCTIONS, node.id, node)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            self.note(node.name in HOOKS, node.name, node)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            for name in [getattr(node, "module", None) or "", *(alias.name for alias in node.names)]:
                self.note(name.split(".")[0] in MODULES, name, node)
        elif isinstance(node, ast.Global):
            self.note(CLASS in node.names, "global", node)
        elif isinstance(node, ast.Call) and word_of(node) == "setattr" and len(node.args) == 3 and isinstance(node.args[1], ast.Constant):
            self.attributes.add(node.args[1].value)

    def note(self, is_dynamic, name, node):
        if is_dynamic and self.dynamic is None:
            self.dynamic = (name, node.lineno)

    def bind(self, name, value):
        self.bound.setdefault(name, []).append(value)

    def cause(self):
        return f" ({self.dynamic[0]} in line {self.dynamic[1]} may define it)" if self.dynamic else ""

    def values_of(self, name):
        """Returns what a name may be, aliases followed: class definitions, other nodes, and names of modules."""
        found, names = [], [name]
        for one in names:
            for value in self.bound.get(one, []):
                if not isinstance(value, ast.Name):
                    found.append(value)
                elif value.id not in names:
                    names.append(value.id)
        return found

    def family_of(self, player):
        """Returns the class and the classes of this file that it may inherit from."""
        family = {player: None}
        waiting = [player]
        for node in waiting:
            for base in node.bases:
                for value in self.values_of(base.id) if isinstance(base, ast.Name) else []:
                    if isinstance(value, ast.ClassDef) and value not in family:
                        family[value] = None
                        waiting.append(value)
        return list(family)

    def missing_methods(self, player):
        names = self.attributes.union(*(names_defined(node) for node in self.family_of(player)))
        return [method for method in METHODS if method not in names]

    def is_open(self, player):
        """Returns whether a decorator, a metaclass or a base class that is not in this file may define methods."""
        for node in self.family_of(player):
            if any(word_of(decorator) not in HARMLESS_DECORATORS for decorator in node.decorator_list):
                return True
            if any(keyword.arg != "metaclass" or word_of(keyword.value) != "ABCMeta" for keyword in node.keywords):
                return True
            if any(self.is_unknown(base) for base in node.bases):
                return True
        return False

    def is_unknown(self, base):
        root = base
        while isinstance(root, ast.Attribute):
            root = root.value
        if not isinstance(root, ast.Name):
            return True
        values = self.values_of(root.id)
        if not values:
            return self.has_star_import
        return any(
            value.split(".")[0] not in PLATFORM_MODULES | sys.stdlib_module_names if isinstance(value, str) else not isinstance(value, ast.ClassDef)
            for value in values
        )


def own_nodes(tree):
    """Yields the nodes of a module or class that run in its own scope, without the plain names that assignments bind."""
    waiting = list(reversed(tree.body))
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, SCOPES):
            continue
        targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        plain = [target for target in targets if isinstance(target, ast.Name)]
        waiting.extend(reversed([child for child in ast.iter_child_nodes(node) if child not in plain]))


def names_stored_by(node):
    if isinstance(node, ast.Name):
        return [node.id] if isinstance(node.ctx, ast.Store) else []
    if isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)):
        return [node.name] if node.name else []
    return [node.rest] if isinstance(node, ast.MatchMapping) and node.rest else []


def names_defined(player):
    """Returns the names that a class's own body binds, except abstract methods."""
    names = set()
    for node in own_nodes(player):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            abstract = any("abstract" in ast.unparse(decorator) for decorator in node.decorator_list)
            (names.discard if abstract else names.add)(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names.update(alias.asname or alias.name for alias in node.names)
        elif isinstance(node, ast.Assign):
            names.update(target.id for target in node.targets if isinstance(target, ast.Name))
        elif isinstance(node, ast.AnnAssign):
            names.update([node.target.id] if node.value is not None and isinstance(node.target, ast.Name) else [])
        else:
            names.update(names_stored_by(node))
    return names


def word_of(decorator):
    node = decorator.func if isinstance(decorator, ast.Call) else decorator
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", None)


def join_names(names):
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
