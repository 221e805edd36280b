/* aim: hold ten gigabytes by one write at the end of a file
 * defence: RLIMIT_FSIZE
 * role: tools
 * submission: host
 * needs: nvcc
 * verdict: compile-error
 * bare: no RLIMIT_FSIZE stays */
#include "tests/attacks/attacker/attack.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

ATTACK {
    int file = open("sparse", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    signal(SIGXFSZ, SIG_IGN);
    if (file >= 0 && pwrite(file, "x", 1, 10l << 30) == 1)
        attack_succeeded("has a file of 10 GiB");
    attack_failed("pwrite");
}
