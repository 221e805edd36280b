/* Binding: the room program knows what an instruction is, exec how it is executed. Neither
 * knows the other; they are joined here, once a program. */
#include "sandbox/simgpu/launch/link.h"

#include "sandbox/simgpu/check/undef.h"
#include "sandbox/simgpu/exec/local_overrun.h"
#include "sandbox/simgpu/exec/variant.h"
#include "sandbox/simgpu/launch/shape_sharing.h"

void program_link(struct program *program) {
    for (size_t pc = 0; pc < program->length; pc++) {
        struct insn *insn = &program->code[pc];
        if (insn->form == FORM_NONE)
            continue;
        insn->execute = isa_executor(insn->form, insn->rounding & ROUNDING_GENERAL);
    }
    shape_sharing_link(program);
    local_overrun_link(program);
    undef_prepare(program);
}
