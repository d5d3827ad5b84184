# Modules, kexec, reboot
# tries: calls module loading, kexec and reboot with arguments that cannot work
# idea: a root shell
# verdict: plays
# means: seccomp

class SimplePlayer(Attacker):
    def attack(self):
        for name, x86, arm in (("init_module", 175, 105), ("finit_module", 313, 273), ("delete_module", 176, 106), ("kexec_load", 246, 104), ("kexec_file_load", 320, 294), ("reboot", 169, 142)):
            refused(name, lambda: kernel(x86, arm, 0, 0, 0, 0))
