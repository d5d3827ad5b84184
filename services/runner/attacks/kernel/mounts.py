# Mounts
# tries: mount, umount, fsopen, open_tree, move_mount, mount_setattr
# idea: CVE-2022-0185
# verdict: plays
# means: seccomp

class SimplePlayer(Attacker):
    def attack(self):
        refused("mount", lambda: kernel(165, 40, b"none", b".", b"tmpfs", 0, 0))
        refused("umount2", lambda: kernel(166, 39, b".", 0))
        for name, number in (("move_mount", 429), ("open_tree", 428), ("fsopen", 430), ("fsconfig", 431), ("fsmount", 432), ("fspick", 433), ("mount_setattr", 442), ("statmount", 457), ("listmount", 458)):
            refused(name, lambda: kernel(number, number, 0, 0, 0, 0, 0))
