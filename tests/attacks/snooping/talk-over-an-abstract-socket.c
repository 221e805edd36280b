/* aim: reach a service of the machine over a socket that has no file
 * defence: system calls: sockets are forbidden; abstract names belong to the network namespace
 * role: build
 * verdict: compile-error
 * says: forbidden system call
 * bare: succeeds */
#include "tests/attacks/attacker/attack.h"

#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>

ATTACK {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "attack-%s", attack->token);
    int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
    if (descriptor >= 0 && connect(descriptor, (struct sockaddr *)&address, sizeof address) == 0)
        attack_succeeded("connected");
    attack_failed("socket");
}
