/* aim: read the machine's devices: memory, disks, terminals, the kernel's messages
 * defence: the jail's /dev has none of them
 * role: build
 * stage: started
 * verdict: compile-error
 * says: code 43
 * bare: succeeds */
#include "tests/attacks/attacker/attack.h"

#include <fcntl.h>
#include <stddef.h>

ATTACK {
    static const char *const paths[] = {"/dev/mem",     "/dev/kmsg", "/dev/sda", "/dev/tty",
                                        "/dev/ptmx",    "/dev/fuse", "/dev/kvm", "/dev/net/tun",
                                        "/dev/console", "/dev/full"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        if (open(paths[i], O_RDONLY | O_CLOEXEC) >= 0)
            attack_succeeded("opened %s", paths[i]);
    attack_failed("open");
}
