# Answers before it is asked
# tries: writes answers with guessed numbers of later questions
# idea: request smuggling
# verdict: protocol
# means: dealer

class SimplePlayer(Attacker):
    def attack(self):
        held("forged", "three answers ahead")
        for ahead in range(1, 4):
            os.write(60, b"[%d,1,0]\n" % (1000 + ahead))
