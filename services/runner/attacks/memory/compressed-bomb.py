# A bomb in a few bytes
# tries: unpacks a gigabyte of zeros from a megabyte, by zlib
# idea: 42.zip
# verdict: memory
# means: sampler, rlimits

import zlib


class SimplePlayer(Attacker):
    def attack(self):
        packed = zlib.compress(bytes(64 << 20), 1)
        kept = []
        for _ in range(4):
            try:
                kept.append(zlib.decompress(packed))
            except MemoryError:
                pass
        time.sleep(0.5)
        escaped("unpacked", f"{64 * len(kept)} MiB stayed")
