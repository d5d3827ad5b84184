# Answers without end
# tries: 100,000 lines of answers at once
# idea: flooding
# verdict: protocol
# means: dealer, answers

class SimplePlayer(Attacker):
    def attack(self):
        held("writing", "100,000 answers")
        line = b"[1,1,0]\n" * 1000
        try:
            for _ in range(100):
                os.write(60, line)
        except OSError as error:
            held("flood", code_of(error))
