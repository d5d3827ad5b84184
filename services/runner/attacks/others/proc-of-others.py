# /proc of others
# tries: reads command lines, memory, descriptors and wait channels of parent and neighbours in /proc
# idea: the sandbox's own attempts (seat/tests)
# verdict: plays
# means: landlock
# pod: true

class SimplePlayer(Attacker):
    def attack(self):
        for pid in (os.getppid(), 1, *neighbours(4)):
            for name in ("cmdline", "environ", "mem", "maps", "fd", "stat", "status", "wchan", "syscall", "task", "root", "cwd"):
                path = f"/proc/{pid}/{name}"
                refused(path, lambda: os.listdir(path) if name in ("fd", "task", "root", "cwd") else open(path).read(1), *HIDDEN)
