# Counters of the machine
# tries: one starts 20 threads, the other reads the number of processes by sysinfo
# idea: covert channels between processes of one machine (Lampson 1973)
# verdict: plays
# means: seccomp
# hands: 80

import struct


class SimplePlayer(Receiver):
    def receive(self):
        buffer = ctypes.create_string_buffer(128)
        kernel(99, 179, buffer)
        count = struct.unpack_from("H", buffer, 80)[0]
        self.low = min(getattr(self, "low", count), count)
        return count >= self.low + 12

# --- partner.py
class SimplePlayer(Sender):
    def send(self, bit):
        if bit:
            ends = [threading.Event() for _ in range(20)]
            for end in ends:
                threading.Thread(target=end.wait, args=(5,), daemon=True).start()
            self.kept = ends
        else:
            for end in getattr(self, "kept", []):
                end.set()
