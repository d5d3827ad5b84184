# Namespaces of its own
# tries: unshare, setns, chroot, pivot_root
# idea: CVE-2022-0185 needed a user namespace
# verdict: plays
# means: seccomp
# pod: true

class SimplePlayer(Attacker):
    def attack(self):
        refused("unshare user", lambda: kernel(272, 97, 0x10000000))
        refused("unshare mounts", lambda: kernel(272, 97, 0x20000))
        refused("setns", lambda: kernel(308, 268, 0, 0))
        refused("chroot", lambda: os.chroot("."))
        refused("pivot_root", lambda: kernel(155, 41, b".", b"."))
