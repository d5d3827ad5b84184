# Objects that lie when they are compared
# tries: __eq__, __hash__, __class__ and __bool__ that raise or say yes to all
# idea: Python jails of capture-the-flag contests
# verdict: plays
# means: answers

class SimplePlayer(Attacker):
    at_decision = 1

    def get_action(self, round_state, remaining_chips):
        class Equal:
            __class__ = PokerAction
            name = "FOLD"
            value = _value_ = 1
            def __eq__(self, other):
                return True
            def __hash__(self):
                return hash(PokerAction.FOLD)
            def __bool__(self):
                raise MemoryError
        self.decisions += 1
        if self.decisions == 1:
            say("begin")
            held("equality", "an action that equals every action")
            say("over")
        return (Equal(), 0) if self.decisions % 2 else (PokerAction.FOLD, Equal() if self.decisions == 2 else 0)
