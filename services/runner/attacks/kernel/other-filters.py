# Filters and rules of its own
# tries: seccomp with a listener, Landlock rules, strict mode
# idea: a filter that traps a parent
# verdict: plays
# means: seccomp

class SimplePlayer(Attacker):
    def attack(self):
        refused("seccomp", lambda: kernel(317, 277, 1, 8, ctypes.create_string_buffer(16)))
        refused("seccomp by prctl", lambda: kernel(157, 167, 22, 1, 0, 0, 0))
        for name, number in (("landlock_create_ruleset", 444), ("landlock_add_rule", 445), ("landlock_restrict_self", 446)):
            refused(name, lambda: kernel(number, number, 0, 0, 1, 0))
