# Answers that fight back
# tries: numbers with __index__ that lies, enums of its own, tuples that change, None
# idea: the platform's own fixtures
# verdict: plays
# means: dealer, answers
# hands: 40

class SimplePlayer(Attacker):
    at_decision = 1

    def get_action(self, round_state, remaining_chips):
        class Lies(int):
            def __index__(self):
                raise SystemExit("no")
            __eq__ = __lt__ = __int__ = __float__ = __str__ = __repr__ = __index__
            __hash__ = int.__hash__
        class Tuple(tuple):
            def __iter__(self):
                raise KeyboardInterrupt
            __len__ = __getitem__ = __iter__
        answers = [None, (PokerAction.FOLD, Lies(1)), Tuple((PokerAction.FOLD, 0)), (PokerAction.FOLD, float("nan")), (PokerAction.FOLD, 10 ** 5000), ("FOLD", 0), (Lies(1), 0), {}]
        self.decisions += 1
        if self.decisions == 1:
            say("begin")
            held("answers", f"{len(answers)} kinds, each a fold or an exception")
            say("over")
        # A fold between them: ten faults in a row would end it.
        return answers[self.decisions // 2 % len(answers)] if self.decisions % 2 else (PokerAction.FOLD, 0)
