class SimplePlayer(Attacker):
    def attack(self):
        end, count = time.monotonic() + 1, 0
        while count < 100_000 and time.monotonic() < end:
            os.path.lexists(f"none-{count}")
            count += 1
        held("names", f"{count} asked for on its own time")
