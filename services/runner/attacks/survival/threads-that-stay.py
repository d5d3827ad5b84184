# A thread that stays
# tries: starts a thread that never ends and searches for its name in the next match
# idea: zombies of judges
# verdict: plays
# means: cleaning, dealer
# matches: 3

class SimplePlayer(Attacker):
    def attack(self):
        def stay():
            while True:
                time.sleep(0.05)
        threading.Thread(target=stay, daemon=False).start()
        kernel(157, 167, 15, b"husky-attack\0", 0, 0, 0)
        held("thread", "it must be gone with the match")
