# Fills its folder
# tries: writes files of 4 MiB until it is stopped
# idea: online judges of programming contests
# verdict: plays, crash
# means: scratch, sampler
# pod: true

class SimplePlayer(Attacker):
    def attack(self):
        def more(number):
            with open(f"part{number}", "wb") as part:
                part.write(b"x" * (4 << 20))
        bounded("disk", 4 * until("parts", more, MAX_MIB // 4, "files of 4 MiB", 74), 160)
