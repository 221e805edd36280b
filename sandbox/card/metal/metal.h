/* A real card in the hands of a program's worker: what the files of this folder share. */
#ifndef WARPGRADE_SANDBOX_CARD_METAL_METAL_H
#define WARPGRADE_SANDBOX_CARD_METAL_METAL_H

#include "sandbox/card/card_private.h"
#include "sandbox/cuda/driver.h"

/* Handles of the driver, by our numbers. */
struct metal_handles {
    void **items;
    size_t count, capacity;
};

/* A copy between the card and memory that the host has, too: its bytes are kept on the card. */
struct metal_note {
    bool is_upload;
    uint64_t host; /* where the host has them */
    size_t block;  /* where the card had them */
    uint64_t at, bytes;
    void *done; /* event */
};
struct metal_notes {
    struct metal_note *items;
    size_t count, capacity;
    gpu_address room;
    uint64_t room_bytes, used;
    void *stream;
};

/* An array, or a mipmapped one: where the library has its texels, and what the driver has. */
struct metal_array {
    struct texture_image image;
    struct driver_array about; /* as it was made */
    bool is_mipmapped;
    void *handle, *levels[TEXTURE_LEVELS_MAX]; /* levels are arrays; of an array, itself */
};
/* A __managed__ variable of a module, and where both sides have it. */
struct metal_managed {
    size_t module;
    const char *name;
    uint64_t address, bytes;
};
struct metal_texture {
    uint64_t handle; /* the driver's, which kernels are given */
    bool is_surface;
};

struct metal_busy;

struct metal {
    struct driver driver;
    int device;
    int channel;                             /* to the trusted side */
    unsigned char *exchange;                 /* METAL_EXCHANGE_BYTES: texts, machine code */
    struct metal_handles modules, functions; /* by the numbers of card's modules and kernels */
    struct metal_handles streams, events; /* by those of card->order; stream 0: the default one */
    uint32_t targets[CARD_MAX_MODULES];   /* 80: its PTX is for compute_80 */
    uint32_t kernel_targets[CARD_MAX_NAMES];
    bool times;                 /* how long the card is busy is to be found out */
    struct metal_busy *busy;    /* NULL: it is not, or not any more */
    struct metal_handles spare; /* events */
    struct metal_notes notes;
    struct metal_handles arrays; /* struct metal_array, by the block's number */
    uint64_t next_array;         /* address */
    struct metal_texture *textures;
    size_t texture_count, texture_capacity;
    struct metal_managed *managed;
    size_t managed_count, managed_capacity;
    int printed, said;    /* memory files that are descriptors 1 and 2 during the dialog */
    bool hangs;           /* a kernel does not end: nothing may be waited for any more */
    char kernel[128];     /* the last one that was launched */
    uint32_t kernel_site; /* ... and where */
};

/* metal_open.c: by what the trusted side says first, which brings the program's end of the dialog.
 * False where there is nobody to answer to; metal_opened went out else, and *opened tells whether
 * the card is there. */
bool metal_open(struct metal *metal, int *program, bool *opened);

/* metal_fault.c: what a result of the driver is for the program. One that no later call survives
 * becomes card->fault and a finding. */
enum card_error metal_result(struct card *card, int code);
/* ... of a launch: one that the card does not accept is a finding, too, and a warning, because a
 * program may try. */
enum card_error metal_launched(struct card *card, int code);
/* metal_launch.c: a launch with its attributes, as the driver takes it. */
void metal_clustered(const struct wire_launch *asked, void *stream,
                     struct driver_attribute attributes[2], struct driver_launch *launch);

/* metal_stream.c: the driver's, by our number. And waits until the query says that it is done, or
 * the program's time is over. */
void *metal_stream_of(const struct card *card, uint64_t number);
enum card_error metal_await(struct card *card, int (*query)(void *), void *handle);
enum card_error metal_await_all(struct card *card);
/* Into the list, at this number. */
void metal_put(struct metal_handles *handles, uint64_t number, void *handle);
void *metal_get(const struct metal_handles *handles, uint64_t number); /* NULL: none */

/* metal_printed.c: what kernels print and the driver says goes to memory files; takes what has
 * come. */
bool metal_printed_begin(struct metal *metal);
void metal_printed_take(struct card *card);

/* metal_busy.c: events; from here on what the card does is timed, as card_result says; around each
 * piece of work of this stream; how long the worker has waited; and to its end. */
void *metal_event_take(struct card *card); /* NULL: there is none */
void metal_event_give(struct card *card, void *event);
void metal_busy_begin(struct card *card);
void metal_work_begins(struct card *card, uint64_t stream);
void metal_work_ends(struct card *card, uint64_t stream);
void metal_waited(struct card *card, double ms);
void metal_busy_end(struct card *card);

/* metal_origin.c: before a copy and after it; of a launch; then what those carried goes to
 * card_task.c, of copies that are done, or of all. */
enum card_error metal_note_room(struct card *card, uint64_t to, uint64_t from, uint64_t bytes);
enum card_error metal_note_copy(struct card *card, uint64_t stream, uint64_t to, uint64_t from,
                                uint64_t bytes);
void metal_note_launch(struct card *card, const unsigned char *parameters, size_t length);
enum card_error metal_notes_take(struct card *card, bool all);

/* metal_array.c: the array that such an address stands for, NULL: none, and how far it is from its
 * start; the level which that lies in. The format's number in the driver. */
struct metal_array *metal_array_of(const struct card *card, uint64_t address, uint64_t *offset);
unsigned metal_level_at(const struct metal_array *array, uint64_t offset,
                        struct texture_level *level);
int metal_format(unsigned bits, unsigned kind);
/* Copies of which at least one side is an array's, and between one and memory of this worker's,
 * which must stay until the stream has come there. */
enum card_error metal_array_copy(struct card *card, uint64_t stream, uint64_t to, uint64_t from,
                                 uint64_t bytes);
enum card_error metal_array_transfer(struct card *card, uint64_t stream, uint64_t address,
                                     void *host, uint64_t bytes, bool is_upload);
bool metal_array_release(struct card *card, size_t number); /* false: it is none's block */

/* metal_managed.c: the module that is loaded next has its managed variables in memory that the host
 * has, too; its text then says so. When it has been loaded, they are given their first values. */
enum card_error metal_managed_place(struct card *card, const struct text *ptx, struct text *placed);
enum card_error metal_managed_fill(struct card *card, void *module);
const struct metal_managed *metal_managed_find(const struct card *card, size_t module,
                                               const char *name); /* NULL: there is none */

/* metal_memory.c; and memory that the host has, too. */
extern const struct card_real metal_real;
enum card_error metal_share(struct card *card, uint64_t bytes, enum engine_block_kind kind,
                            size_t *number);

/* One function a call of metal.def. */
#define OWN(id) card_act metal_do_##id;
#include "sandbox/card/metal/metal.def"
#undef OWN

#endif
