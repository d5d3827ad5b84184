# Files without a name held by mappings
# tries: repeatedly creates a file of 4 MiB, unlinks it, maps it and closes it, so that a search by name does not find it
# idea: tried by strangers against this platform
# verdict: plays, crash, memory
# means: scratch, rlimits

import mmap


class SimplePlayer(Attacker):
    def attack(self):
        kept, got = [], 0
        try:
            while got < MAX_MIB:
                fd = os.open("x", os.O_RDWR | os.O_CREAT)
                os.unlink("x")
                try:
                    os.posix_fallocate(fd, 0, 4 << 20)
                    kept.append(mmap.mmap(fd, 4 << 20, mmap.MAP_PRIVATE, mmap.PROT_READ))
                finally:
                    os.close(fd)
                got += 4
        except OSError as error:
            note("stopped by", code_of(error))
        bounded("disk held", got, 64)
