# Reads what the machine keeps
# tries: passwords, keys, environment and command lines, mounts, service account tokens
# idea: the sandbox's own attempts (seat/tests)
# verdict: plays
# means: landlock
# pod: true

class SimplePlayer(Attacker):
    def attack(self):
        for path in ("/etc/passwd", "/etc/shadow", "/etc/hosts", "/root/.bashrc", "/root/.ssh/id_rsa", "/proc/self/environ", "/proc/1/environ",
                     "/proc/self/maps", "/proc/self/mem", "/proc/mounts", "/proc/cmdline", "/proc/kallsyms", "/sys/kernel/notes", "/var/log/syslog",
                     "/var/run/secrets/kubernetes.io/serviceaccount/token", "/etc/husky/own/identity.key.json", "/run/husky/host.sock"):
            refused(path, lambda: open(path, "rb").read(64), *HIDDEN, errno.ENXIO)
        for path in ("/", "/etc", "/proc", "/sys", "/home", "/root", "/tmp", "/var/lib", "/run"):
            refused(f"listing {path}", lambda: os.listdir(path), *HIDDEN)
