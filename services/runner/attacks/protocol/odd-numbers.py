# Numbers that are none
# tries: 1e999, -0, NaN, 2**70, hexadecimal, as kind and amount
# idea: parsers of numbers
# verdict: protocol
# means: dealer, answers

class SimplePlayer(Attacker):
    def attack(self):
        held("writing", "odd numbers")
        for text in (b"[1e999,1,0]", b"[1,NaN,0]", b"[-0,1,1e400]", b"[1,1,1180591620717411303424]", b"[0x1,1,0]"):
            os.write(60, text + b"\n")
