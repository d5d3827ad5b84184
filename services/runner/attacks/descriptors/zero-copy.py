# Moves data without copies
# tries: splice, tee, vmsplice, copy_file_range and sendfile between pipes, files and the link
# idea: Dirty Pipe, CVE-2022-0847
# verdict: plays
# means: seccomp

class SimplePlayer(Attacker):
    def attack(self):
        # The log is a pipe.
        reader = writer = 1
        source = os.open(__file__, os.O_RDONLY)
        refused("splice", lambda: kernel(275, 76, source, 0, writer, 0, 16, 0))
        refused("tee", lambda: kernel(276, 77, reader, writer, 16, 0), *REFUSED, errno.EINVAL)
        refused("vmsplice", lambda: kernel(278, 75, writer, ctypes.create_string_buffer(16), 1, 0))
        refused("copy_file_range", lambda: kernel(326, 285, source, 0, writer, 0, 16, 0))
