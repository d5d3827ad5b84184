# Folders as doors
# tries: opens folders by O_PATH and opens files relative to them by openat, fchdir and /proc/self/fd
# idea: classic escapes from chroots and sandboxes
# verdict: plays
# means: landlock

class SimplePlayer(Attacker):
    def attack(self):
        root = os.open("/", os.O_PATH)
        refused("openat from /", lambda: os.open("etc/passwd", os.O_RDONLY, dir_fd=root), *HIDDEN)
        refused("a listing of /", lambda: os.listdir(root), *HIDDEN, errno.EBADF)
        refused("reopening through /proc", lambda: open(f"/proc/self/fd/{root}"), *HIDDEN)
        up = os.open("..", os.O_PATH)
        refused("a file beside the folder", lambda: os.open(MARK, os.O_CREAT | os.O_WRONLY, dir_fd=up), *HIDDEN)
