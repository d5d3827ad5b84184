import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from hostile_wheel import write

write("attackbomb", [(f"attackbomb/z{n}.bin", bytes(50 << 20), 0o644) for n in range(6)])
