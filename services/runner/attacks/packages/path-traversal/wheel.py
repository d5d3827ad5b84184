import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from hostile_wheel import write

write("attackslip", [("../../../../tmp/husky-attack-slip", b"x", 0o644), ("/tmp/husky-attack-slip", b"x", 0o644), ("attackslip/__init__.py", b"", 0o644)])
