# Hooks imports
# tries: a finder before all others, patched builtins, removed modules
# idea: Python jails of capture-the-flag contests
# verdict: plays, protocol, crash, disabled
# means: dealer

import builtins


class SimplePlayer(Attacker):
    def attack(self):
        class Finder:
            def find_spec(self, *given):
                raise SystemExit("no import")
        sys.meta_path.insert(0, Finder())
        builtins.open = builtins.print = builtins.len = lambda *given, **named: None
        held("hooked", "imports and builtins of its own process")
        os.write(1, b"attack: held builtins: gone\n")
