# A line without an end
# tries: writes 20 MiB without a line feed to the link
# idea: memory of parsers
# verdict: protocol
# means: dealer, answers

class SimplePlayer(Attacker):
    def attack(self):
        held("writing", "20 MiB without an end")
        for _ in range(320):
            os.write(60, b"9" * 65536)
