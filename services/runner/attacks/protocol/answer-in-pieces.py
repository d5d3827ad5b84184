# An answer in pieces
# tries: writes an answer byte by byte, then no further answer
# idea: slow loris
# verdict: protocol, plays
# means: dealer, answers

class SimplePlayer(Attacker):
    def attack(self):
        held("writing", "bytes of an answer")
        for byte in b"[1":
            os.write(60, bytes([byte]))
            time.sleep(0.01)
