/* Flags that decode_async.c gives to exec_async.c and exec_mbarrier.c. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_PROGRAM_COPY_FLAGS_H
#define WARPGRADE_SANDBOX_SIMGPU_PROGRAM_COPY_FLAGS_H

enum {                   /* insn->copy_flags */
       COPY_NARROW = 1,  /* << slot 0, 1 or 3: the address register has 32 bits */
       COPY_SIZED = 16,  /* slot 2: bytes to read, the rest is zero */
       COPY_IGNORE = 32, /* slot 2: a predicate: read nothing */
       COPY_TO_GLOBAL = 64,
       COPY_FROM_SHARED = 128, /* to another block's */
};
enum { /* insn->mbarrier_flags */
       MBARRIER_DROP = 1,
       MBARRIER_EXPECT = 2,
       MBARRIER_PARITY = 4,
       MBARRIER_NO_COMPLETE = 8,
       MBARRIER_ARRIVE = 16,
};

#endif
