# Calls of the 32-bit interface
# tries: machine code with int 0x80: other numbers, other filter
# idea: the seccomp(2) manual page
# verdict: crash, plays
# means: seccomp

import mmap


class SimplePlayer(Attacker):
    def attack(self):
        if AT_ARM:
            held("i386", "not on this architecture")
        else:
            code = mmap.mmap(-1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, 7)
            # getpid of i386: mov eax, 20; int 0x80; ret
            code.write(bytes.fromhex("b814000000cd80c3"))
            note("calling", "getpid by int 0x80")
            answer = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))()
            say("held" if answer in (-1, -38) else "ESCAPED", "i386", answer)
