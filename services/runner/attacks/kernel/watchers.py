# Watches files of others
# tries: inotify, fanotify, dnotify, leases
# idea: the sandbox's own attempts (seat/tests)
# verdict: plays
# means: seccomp

import fcntl


class SimplePlayer(Attacker):
    def attack(self):
        refused("inotify_init1", lambda: kernel(294, 26, 0))
        refused("fanotify_init", lambda: kernel(300, 262, 0, 0))
        shared = os.open(os.__file__, os.O_RDONLY)
        refused("lease", lambda: fcntl.fcntl(shared, 1024, 0))
        refused("dnotify", lambda: fcntl.fcntl(os.open(os.path.dirname(os.__file__), os.O_RDONLY), 1026, 1))
