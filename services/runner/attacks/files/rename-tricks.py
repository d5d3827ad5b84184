# Renames across borders
# tries: renames out of its folder, exchanges with its code, whiteouts
# idea: the flags of renameat2(2)
# verdict: plays
# means: landlock, seccomp

class SimplePlayer(Attacker):
    def attack(self):
        open("mine", "w").close()
        anything = (*HIDDEN, errno.EXDEV, errno.EINVAL, errno.EBUSY, errno.ENOTEMPTY, errno.EEXIST, errno.EISDIR)
        refused("rename out", lambda: os.rename("mine", "../" + MARK), *anything)
        refused("rename over its code", lambda: os.rename("mine", __file__), *anything)
        refused("exchange", lambda: kernel(316, 276, -100, b"mine", -100, __file__.encode(), 2), *anything)
        refused("whiteout", lambda: kernel(316, 276, -100, b"mine", -100, b"other", 4), *anything)
