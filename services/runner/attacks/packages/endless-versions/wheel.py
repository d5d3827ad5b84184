import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from hostile_wheel import write

write("attackloop", [("attackloop/__init__.py", b"", 0o644)], extra_metadata="Requires-Dist: attackloop==2.0\n")
