# Answers twice
# tries: writes a fold for the current question, then returns another action
# idea: request splitting
# verdict: protocol, plays
# means: dealer, answers

class SimplePlayer(Attacker):
    def attack(self):
        frame = sys._getframe()
        while frame is not None and "seq" not in frame.f_locals:
            frame = frame.f_back
        held("second answer", "by hand, then the seat's own")
        if frame is not None:
            os.write(60, b"[%d,1,0]\n" % frame.f_locals["seq"])
