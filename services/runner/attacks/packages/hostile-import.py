# A package that attacks when it is imported
# tries: an import that forks, reads secrets and opens sockets
# idea: malicious wheels of public indexes
# verdict: plays
# means: seccomp, landlock

import attackimport


class SimplePlayer(Attacker):
    def attack(self):
        for name, answer in attackimport.ANSWERS.items():
            say("ESCAPED" if answer == "done" else "held", name, answer)

# --- requirements.txt
attackimport

# --- wheel.py
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
