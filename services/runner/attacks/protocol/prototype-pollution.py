# Names of the dealer's language
# tries: objects with __proto__ and constructor as answers
# idea: prototype pollution in JavaScript
# verdict: protocol
# means: dealer, answers

class SimplePlayer(Attacker):
    def attack(self):
        held("writing", "objects in place of answers")
        os.write(60, b'{"__proto__":{"out":null,"bankMs":1e9},"constructor":{"prototype":{"admin":true}}}\n')
        os.write(60, b'[{"__proto__":[1]},1,0]\n')
