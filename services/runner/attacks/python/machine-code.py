# Machine code of its own
# tries: writes machine code to memory, makes it executable, makes a forbidden call from there
# idea: shellcode
# verdict: plays, crash
# means: seccomp

import mmap


class SimplePlayer(Attacker):
    def attack(self):
        try:
            code = mmap.mmap(-1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, 7)
        except OSError as error:
            held("executable memory", code_of(error))
        else:
            if AT_ARM:
                held("machine code", "not on this architecture")
            else:
                # mov eax, 41 (socket); mov edi, 2; mov esi, 1; xor edx, edx; syscall; ret
                code.write(bytes.fromhex("b829000000bf02000000be0100000031d20f05c3"))
                answer = ctypes.CFUNCTYPE(ctypes.c_long)(ctypes.addressof(ctypes.c_char.from_buffer(code)))()
                say("held" if answer < 0 else "ESCAPED", "a socket by machine code", answer)
