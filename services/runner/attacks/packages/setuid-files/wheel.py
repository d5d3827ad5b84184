import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from hostile_wheel import write

write("attacksuid", [("attacksuid/__init__.py", b"", 0o644), ("attacksuid/root.sh", b"#!/bin/sh\n", 0o6755), ("attacksuid/open.txt", b"", 0o666)])
