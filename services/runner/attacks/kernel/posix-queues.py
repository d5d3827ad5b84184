# POSIX message queues
# tries: mq_open, mq_notify, mq_unlink
# idea: the sandbox's own attempts (seat/tests)
# verdict: plays
# means: seccomp

class SimplePlayer(Attacker):
    def attack(self):
        refused("mq_open", lambda: kernel(240, 180, b"husky-attack", 0o102, 0o600, 0))
        refused("mq_notify", lambda: kernel(244, 184, 0, 0))
        refused("mq_unlink", lambda: kernel(241, 181, b"husky-attack"))
