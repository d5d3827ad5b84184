# Threads that live a moment
# tries: starts one thread after the other, so that none is there when threads are counted, in three seats
# idea: tried by strangers against this platform
# verdict: plays, disabled, timeout
# means: clock, dealer
# seats: 3
# hands: 10

def churn():
    while True:
        thread = threading.Thread(target=hashlib.pbkdf2_hmac, args=("sha256", b"", b"", 2000))
        thread.start()
        thread.join()


class SimplePlayer(Attacker):
    at_decision = 1

    def attack(self):
        for _ in range(8):
            threading.Thread(target=churn, daemon=True).start()
        held("churning", "beside the match")
