# Maps and unmaps
# tries: maps, touches, unmaps for a second from 8 threads
# idea: the lock of the memory map, TLB shootdowns
# verdict: plays, disabled
# means: clock

import mmap


class SimplePlayer(Attacker):
    def attack(self):
        def churn():
            end = time.monotonic() + 0.5
            while time.monotonic() < end:
                with mmap.mmap(-1, 1 << 20, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as one:
                    one[0] = 1
        threads = [threading.Thread(target=churn) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        held("mappings", "on its own time")
