# What machine this is
# tries: host name, kernel, boot id, processors
# idea: fingerprints
# verdict: plays
# means: landlock

class SimplePlayer(Attacker):
    def attack(self):
        for path in ("/proc/sys/kernel/random/boot_id", "/etc/machine-id", "/sys/class/dmi/id/product_uuid", "/etc/hostname", "/proc/cpuinfo"):
            refused(path, lambda: open(path).read(1), *HIDDEN)
        note("host name", os.uname().nodename)
