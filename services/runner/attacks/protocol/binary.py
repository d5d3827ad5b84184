# Binary garbage
# tries: zero bytes, broken UTF-8, byte order marks
# idea: fuzzing
# verdict: protocol
# means: dealer, answers

class SimplePlayer(Attacker):
    def attack(self):
        held("writing", "binary garbage")
        os.write(60, bytes(range(256)) * 16 + b"\n\xff\xfe\x00\n")
