import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from hostile_wheel import write

MODULES = {
    "brackets": "x = " + "(" * 100_000 + ")" * 100_000,
    "minus": "x = " + "-" * 1_000_000 + "1",
    "attributes": "x = a" + ".a" * 300_000,
    "constants": "x = " + " + ".join(["(" + "1, " * 2000 + ")"] * 300),
    "classes": "\n".join(f"class C{n}: pass" for n in range(20_000)),
    "binary": "\0" * 100_000,
}
entries = [(f"attackcompiler/{name}.py", source.encode(), 0o644) for name, source in MODULES.items()]
write("attackcompiler", [*entries, ("attackcompiler/__init__.py", b"LOADED = True\n", 0o644)])
