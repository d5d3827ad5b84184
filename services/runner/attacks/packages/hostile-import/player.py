import attackimport


class SimplePlayer(Attacker):
    def attack(self):
        for name, answer in attackimport.ANSWERS.items():
            say("ESCAPED" if answer == "done" else "held", name, answer)
