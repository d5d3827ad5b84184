# Memory of the kernel's own: page tables
# tries: reads one page in every 2 MiB of a huge read-only mapping: only page tables grow
# idea: Linux kernel list, VmPTE and the OOM killer
# verdict: memory
# means: sampler

class SimplePlayer(Attacker):
    def attack(self):
        step = 2 << 20
        at = kernel(9, 222, 0, 40_000 * step, 1, 0x4022, -1, 0)
        for number in range(40_000):
            ctypes.string_at(at + number * step, 1)
            if number % 4000 == 0:
                time.sleep(0.02)
        time.sleep(0.3)
        escaped("page tables", "160 MiB stayed")
