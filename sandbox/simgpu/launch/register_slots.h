/* Places for registers that are not needed at the same time. See register_slots.c. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_LAUNCH_REGISTER_SLOTS_H
#define WARPGRADE_SANDBOX_SIMGPU_LAUNCH_REGISTER_SLOTS_H

#include "sandbox/simgpu/program/program.h"

/* What the program had before; borrowed from it, but for what took its place. */
struct register_slots {
    bool shared;
    struct insn *code;
    struct program_function *functions;
    struct register_range *ranges;
    struct special_use *specials;
    struct texture_access *textures;
};

/* Gives registers of the kernel that are never needed at the same time one place, for launches
 * without checks: where nothing asks afterwards what a register held, and analyses by registers
 * have been made. The program is as it was after register_slots_restore(). Programs with several
 * functions, indirect calls or matrix instructions stay as they are. */
void register_slots_share(struct program *program, struct register_slots *slots);
void register_slots_restore(struct program *program, struct register_slots *slots);

#endif
