import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from hostile_wheel import write

def mark(name):
    return f"import builtins; builtins.husky_{name} = 1\n".encode()


write("attackstart", [("attack.pth", mark("pth"), 0o644), ("sitecustomize.py", mark("sitecustomize"), 0o644), ("usercustomize.py", mark("usercustomize"), 0o644)])
