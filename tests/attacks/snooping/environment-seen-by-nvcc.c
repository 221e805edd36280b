/* aim: read secrets out of the environment of the grader, through the /proc that nvcc needs
 * defence: the /proc of a process namespace of its own; every program in it starts with an empty
 *     environment
 * role: tools
 * submission: host
 * needs: nvcc
 * verdict: compile-error
 * says: code 43
 * bare: succeeds */
#include "tests/attacks/attacker/attack.h"

#include <dirent.h>
#include <stdio.h>

ATTACK {
    DIR *processes = opendir("/proc");
    for (struct dirent *entry; processes && (entry = readdir(processes));) {
        char path[300];
        snprintf(path, sizeof path, "/proc/%s/environ", entry->d_name);
        if (attack_file_holds(path, "WARPGRADE_ATTACK_SECRET=") || attack_file_holds(path, "XDG_"))
            attack_succeeded("read %s", path);
    }
    attack_failed("open");
}
