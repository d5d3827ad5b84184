# A list without an end
# tries: 2,000 names in requirements.txt
# idea: resolver load
# verdict: plays
# means: upload-check
# refusal: requirements

class SimplePlayer(Attacker):
    def attack(self):
        raise RuntimeError("it was never to be played")

# --- prints requirements.txt
for number in range(2000):
    print(f"p{number}")
