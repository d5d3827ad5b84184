# Changes the seat's own code
# tries: replaces functions of the seat in sys.modules, which affects only its own process
# idea: Python jails of capture-the-flag contests
# verdict: plays, protocol, crash
# means: dealer

class SimplePlayer(Attacker):
    def attack(self):
        changed = 0
        for name, module in list(sys.modules.items()):
            if name.startswith("husky_seat"):
                for attribute in ("answer_line", "error_line", "log_exception", "one_line"):
                    if hasattr(module, attribute):
                        setattr(module, attribute, lambda *given: b"[0,4,10000]\n")
                        changed += 1
        held("patched", f"{changed} functions, which reach no further than its own link")
