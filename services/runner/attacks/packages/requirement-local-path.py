# Paths in requirements.txt
# tries: the line ../../../etc/passwd
# idea: local requirements
# verdict: plays
# means: upload-check
# refusal: requirements

class SimplePlayer(Attacker):
    def attack(self):
        raise RuntimeError("it was never to be played")

# --- requirements.txt
../../../etc/passwd
