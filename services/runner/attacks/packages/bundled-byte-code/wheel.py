import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from hostile_wheel import write

import importlib._bootstrap_external as external
import importlib.util

SOURCE = b'ORIGIN = "source"\n'
entries = [("attackcached/__init__.py", SOURCE, 0o644)]
code = external._code_to_hash_pyc(compile('ORIGIN = "byte code"', "attackcached/__init__.py", "exec"), b"\0" * 8, checked=False)
for minor in range(10, 15):
    entries.append((f"attackcached/__pycache__/__init__.cpython-3{minor}.pyc", bytes(code), 0o644))
write("attackcached", entries)
