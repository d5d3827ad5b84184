# Devices and special files
# tries: opens disks, memory, terminals, kernel logs; makes devices, pipes and sockets
# idea: classic escapes from chroots and sandboxes
# verdict: plays
# means: landlock, seccomp

import stat


class SimplePlayer(Attacker):
    def attack(self):
        for path in ("/dev/mem", "/dev/kmsg", "/dev/vda", "/dev/sda", "/dev/tty", "/dev/ptmx", "/dev/fuse", "/dev/kvm", "/dev/net/tun", "/dev/loop-control", "/dev/full", "/dev/zero", "/dev/console"):
            refused(path, lambda: os.open(path, os.O_RDWR), *HIDDEN, errno.ENXIO)
        for name, kind in (("device", stat.S_IFBLK), ("pipe", stat.S_IFIFO), ("socket", stat.S_IFSOCK)):
            refused(f"a {name}", lambda: os.mknod(f"made-{name}", kind | 0o600, os.makedev(8, 0)))
