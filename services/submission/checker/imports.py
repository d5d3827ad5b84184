"""Names the imports of a player.py that neither Python nor the packages of its requirements.txt provide, from its syntax tree.

Without the packages themselves nothing is certain: another package may bring a module. So all are warnings.
"""

import ast
import sys

from simple_player import word_of

PLATFORM = {"bot", "type", "config", "runner", "player"}
# Part of Python 3.11, and not of later ones that may run this check.
REMOVED = set("aifc audioop cgi cgitb chunk crypt imghdr mailcap msilib nis nntplib ossaudiodev pipes sndhdr spwd sunau telnetlib uu xdrlib".split())
# Not on the runners. The seat's hints (services/runner/seat/husky_seat/hints.py) name these and the packages below too; a test compares both.
ABSENT = set(
    "tkinter turtle idlelib ensurepip venv pip setuptools pkg_resources distutils imp asynchat asyncore smtpd lib2to3 curses msvcrt winreg winsound".split()
)
# Packages whose module has another name; the first is proposed.
PACKAGES = {
    pair.split(":")[0]: pair.split(":")[1].split("|")
    for pair in "Crypto:pycryptodome PIL:pillow attr:attrs bs4:beautifulsoup4 cv2:opencv-python-headless|opencv-python|opencv-contrib-python|opencv-contrib-python-headless "
    "dateutil:python-dateutil deuces:treys dotenv:python-dotenv serial:pyserial skimage:scikit-image sklearn:scikit-learn tensorflow:tensorflow-cpu "
    "tflite_runtime:tflite-runtime yaml:pyyaml Levenshtein:levenshtein|python-levenshtein faiss:faiss-cpu google:protobuf mpl_toolkits:matplotlib "
    "pylab:matplotlib pkg_resources:setuptools pyspiel:open-spiel ruamel:ruamel-yaml umap:umap-learn xgboost:xgboost-cpu zmq:pyzmq".split()
}
CATCHES = {"ImportError", "ModuleNotFoundError", "Exception", "BaseException"}
TRIES = tuple(filter(None, (ast.Try, getattr(ast, "TryStar", None))))
MAX_NAMED = 10


def missing_imports(tree, packages):
    """Returns a sentence for each module that is imported and not provided, in the order of their lines; at most ten."""
    found = {}
    for name, line, optional in sorted(imports_of(tree), key=lambda one: one[1]):
        if name == "":
            found.setdefault(name, f"player.py has a relative import in line {line}, which fails: write the other file's code into player.py, which is uploaded alone.")
        elif not is_provided(name, packages):
            found.setdefault(name, sentence(name, line, optional, packages))
    more = len(found) - MAX_NAMED
    return [*list(found.values())[:MAX_NAMED], *([f"player.py imports {more} more modules that are not provided."] if more > 0 else [])]


def sentence(name, line, optional, packages):
    if name in ABSENT:
        return f"player.py imports {name} in line {line}, which the platform does not have: do without it."
    lacks = "neither Python nor requirements.txt provides"
    package = PACKAGES.get(name, [name])[0]
    if optional:
        return f"player.py tries to import {name} in line {line}, which {lacks}: to use it, write {package} into requirements.txt."
    unless = ", unless another package brings it" if packages else ""
    return f"player.py imports {name} in line {line}, which {lacks}{unless}: write {package} into requirements.txt; a file of your own must be inside player.py."


def is_provided(name, packages):
    if name in PLATFORM or (name in sys.stdlib_module_names | REMOVED and name not in ABSENT):
        return True
    plain = name.lower().replace("_", "-")
    known = {plain, f"python-{plain}", f"{plain}-python", f"py{plain}", *PACKAGES.get(name, [])}
    return any(package in known or package.startswith(f"{plain}-") for package in packages)


def imports_of(tree):
    """Yields (first part of the module or "" for a relative import, line, whether its failure is caught). Iterative, since the tree may be deep."""
    waiting = [(tree, False)]
    while waiting:
        node, optional = waiting.pop()
        if isinstance(node, ast.Import):
            yield from ((alias.name.split(".")[0], node.lineno, optional) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "" if node.level else (node.module or "").split(".")[0], node.lineno, optional
        elif isinstance(node, TRIES) and any(catches_import(handler.type) for handler in node.handlers):
            waiting += [(child, True) for child in [*node.body, *node.handlers]]
            waiting += [(child, optional) for child in [*node.orelse, *node.finalbody]]
        elif isinstance(node, ast.With) and any(word_of(item.context_expr) == "suppress" for item in node.items):
            waiting += [(child, True) for child in node.body]
        elif isinstance(node, ast.If) and never_runs(node.test):
            waiting += [(child, optional) for child in node.orelse]
        elif not isinstance(node, ast.expr):
            waiting += [(child, optional) for child in ast.iter_child_nodes(node)]


def catches_import(kind):
    kinds = kind.elts if isinstance(kind, ast.Tuple) else [kind]
    return any(one is None or word_of(one) in CATCHES for one in kinds)


def never_runs(test):
    """Whether a condition is TYPE_CHECKING, or that of a program that is started by itself."""
    if isinstance(test, ast.Compare):
        return isinstance(test.left, ast.Name) and test.left.id == "__name__" and isinstance(test.ops[0], ast.Eq)
    return word_of(test) == "TYPE_CHECKING"
