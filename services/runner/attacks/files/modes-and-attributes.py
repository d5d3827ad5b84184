# Modes, owners, times, attributes
# tries: setuid bits, chown, times and extended attributes, which Landlock does not cover
# idea: the sandbox's own attempts (seat/tests)
# verdict: plays
# means: seccomp

class SimplePlayer(Attacker):
    def attack(self):
        open("mine", "w").close()
        refused("chmod u+s", lambda: os.chmod("mine", 0o4777))
        refused("chown", lambda: os.chown("mine", 0, 0))
        refused("utime of the library", lambda: os.utime(os.__file__))
        refused("an attribute", lambda: os.setxattr("mine", "user.x", b"x" * 1000))
        refused("an attribute of its code", lambda: os.setxattr(__file__, "user.x", b"x"))
        refused("chmod of its code", lambda: os.chmod(__file__, 0))
        refused("chmod of the parent folder", lambda: os.chmod("..", 0))
