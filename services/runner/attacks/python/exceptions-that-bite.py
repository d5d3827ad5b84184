# Exceptions that bite
# tries: BaseExceptions whose text is endless, raises or exits, with a long chain of causes
# idea: Python jails of capture-the-flag contests
# verdict: plays, crash
# means: answers, log

class SimplePlayer(Attacker):
    at_decision = 1

    def get_action(self, round_state, remaining_chips):
        class Bite(BaseException):
            def __str__(self):
                raise SystemExit("bitten")
            __repr__ = __str__
        class Endless(Exception):
            def __str__(self):
                return "x" * 10_000_000
        self.decisions += 1
        if self.decisions == 1:
            say("begin")
            held("raising", "exceptions with hostile texts")
            say("over")
        if self.decisions % 3 == 1:
            raise Bite() from Endless()
        if self.decisions % 3 == 2:
            raise Endless()
        return PokerAction.FOLD, 0
