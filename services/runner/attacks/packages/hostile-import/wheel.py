import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from hostile_wheel import write

SOURCE = b"""
import os, socket
ANSWERS = {}
for name, attempt in {"fork": os.fork, "socket": socket.socket, "passwd": lambda: open("/etc/passwd"), "tmp": lambda: open("/tmp/husky-attack", "w")}.items():
    try:
        if attempt() == 0: os._exit(0)
        ANSWERS[name] = "done"
    except OSError as error:
        ANSWERS[name] = str(error)
"""
write("attackimport", [("attackimport/__init__.py", SOURCE, 0o644)])
