import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from hostile_wheel import write

shadow = b'"""shadow"""\n'
write("attackshadow", [("bot.py", shadow, 0o644), ("type/__init__.py", shadow, 0o644), ("type/poker_action.py", shadow, 0o644), ("json.py", shadow, 0o644)])
