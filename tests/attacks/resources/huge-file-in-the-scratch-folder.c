/* aim: fill the disk from nvcc's scratch folder
 * defence: the folder is a sized tmpfs; RLIMIT_FSIZE
 * role: tools
 * submission: host
 * needs: nvcc
 * verdict: compile-error
 * bare: no RLIMIT_FSIZE stays */
#include "tests/attacks/attacker/attack.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

ATTACK {
    enum { PIECE = 1 << 20, PIECES = 1024 };
    int file = open("huge", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    char *bytes = calloc(1, PIECE);
    signal(SIGXFSZ, SIG_IGN);
    for (int i = 0; i < PIECES; i++)
        if (file < 0 || !bytes || write(file, bytes, PIECE) != PIECE)
            attack_failed("write");
    attack_succeeded("wrote 1 GiB");
}
