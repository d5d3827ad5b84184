# Byte code in a wheel
# tries: brings byte code that differs from its source, for every Python of a runner
# idea: poisoned byte code
# verdict: plays
# means: descriptors

import attackcached


class SimplePlayer(Attacker):
    def attack(self):
        say("held" if attackcached.ORIGIN == "source" else "ESCAPED", "runs its", attackcached.ORIGIN)

# --- requirements.txt
attackcached

# --- wheel.py
from hostile_wheel import write

import importlib._bootstrap_external as external
import importlib.util

SOURCE = b'ORIGIN = "source"\n'
entries = [("attackcached/__init__.py", SOURCE, 0o644)]
code = external._code_to_hash_pyc(compile('ORIGIN = "byte code"', "attackcached/__init__.py", "exec"), b"\0" * 8, checked=False)
for minor in range(10, 15):
    entries.append((f"attackcached/__pycache__/__init__.cpython-3{minor}.pyc", bytes(code), 0o644))
write("attackcached", entries)
