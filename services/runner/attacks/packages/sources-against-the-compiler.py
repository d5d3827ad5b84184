# Sources that break Python's compiler
# tries: brings modules that exhaust the compiler's stack, memory or time, beside one that is imported
# idea: denial of service by parsing
# verdict: plays
# means: descriptors

import attackcompiler


class SimplePlayer(Attacker):
    def attack(self):
        say("held" if attackcompiler.LOADED else "ESCAPED", "the package is imported, whatever the compiler made of its other modules")

# --- requirements.txt
attackcompiler

# --- wheel.py
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
