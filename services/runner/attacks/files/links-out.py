# Links out of its folder
# tries: symbolic links to secrets, hard links to its own code and to libraries
# idea: the sandbox's own attempts (seat/tests)
# verdict: plays
# means: landlock, seccomp

class SimplePlayer(Attacker):
    def attack(self):
        for target in ("/etc/passwd", "/proc/self/environ", "../../.."):
            name = f"to{abs(hash(target))}"
            try:
                os.symlink(target, name)
            except OSError as error:
                held(f"link to {target}", code_of(error))
                continue
            refused(f"reading through a link to {target}", lambda: os.listdir(name) if os.path.isdir(name) else open(name).read(), *HIDDEN)
        refused("hard link to its code", lambda: os.link(__file__, "own"), *HIDDEN, errno.EXDEV)
        refused("hard link to the library", lambda: os.link(os.__file__, "lib"), *HIDDEN, errno.EXDEV)
