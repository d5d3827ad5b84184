# Answers for others
# tries: answers with numbers around its own question
# idea: guessing
# verdict: protocol, plays
# means: dealer, answers

class SimplePlayer(Attacker):
    def attack(self):
        frame = sys._getframe()
        while frame is not None and "seq" not in frame.f_locals:
            frame = frame.f_back
        held("answers", "with five other numbers")
        for near in (-2, -1, 1, 2, 3):
            os.write(60, b"[%d,4,9999]\n" % (frame.f_locals["seq"] + near if frame else near))
