# Memory in pipes
# tries: fills every pipe that it can open and requests larger ones
# idea: pipe-user-pages-soft in pipe(7)
# verdict: plays
# means: rlimits, seccomp

import fcntl


class SimplePlayer(Attacker):
    def attack(self):
        kept, total = [], 0
        try:
            while total < 200 << 20:
                reader, writer = os.pipe()
                kept += [reader, writer]
                os.set_blocking(writer, False)
                try:
                    fcntl.fcntl(writer, 1031, 1 << 20)
                    escaped("larger pipe", "given")
                except OSError as error:
                    note("larger pipe", code_of(error))
                try:
                    while True:
                        total += os.write(writer, b"x" * 65536)
                except BlockingIOError:
                    pass
        except OSError as error:
            note("stopped by", code_of(error))
        bounded("memory in pipes", total / (1 << 20), 8)
