# Floods the log past Python
# tries: writes to descriptor 1 as fast as possible for a second
# idea: pipes and their readers
# verdict: plays, crash
# means: log, sampler

class SimplePlayer(Attacker):
    def attack(self):
        end, written = time.monotonic() + 0.8, 0
        while time.monotonic() < end:
            try:
                written += os.write(1, b"x" * 65535 + b"\n")
            except BlockingIOError:
                pass
        time.sleep(0.3)
        held("flood", f"{written >> 10} KiB taken")
