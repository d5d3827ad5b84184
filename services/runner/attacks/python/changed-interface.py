# Changes what it is given
# tries: overwrites values of PokerAction, its own id, the state and the methods of Bot
# idea: Python jails of capture-the-flag contests
# verdict: plays, protocol
# means: answers, dealer

import bot


class SimplePlayer(Attacker):
    def attack(self):
        try:
            PokerAction.FOLD._value_ = 4
            PokerAction._member_map_["FOLD"] = PokerAction.ALL_IN
        except Exception as error:
            note("PokerAction", error)
        PokerAction.FOLD._value_ = 1
        self.id = 0
        bot.Bot.set_id = lambda self, player_id: None
        held("changed", "its own copies")
