/* A program that asks the worker of a card for what is not its own: main() of the attacks
 * requests-to-a-card*.e2e. */
#ifndef WARPGRADE_TESTS_ATTACKS_HOST_CARD_REQUESTS_H
#define WARPGRADE_TESTS_ATTACKS_HOST_CARD_REQUESTS_H

#include "tests/attacks/host/host.h"

enum { BYTES = 4096 };

static void refused(const char *what, long error) {
    if (error <= 0)
        reached(what);
}

/* Device memory of this card is the worker's heap: what is around a block is its own. */
static void reach_around(void) {
    uint64_t block, gone;
    if (ask(WIRE_ALLOCATE, BYTES, 0, 0, NULL, 0, &block) ||
        ask(WIRE_ALLOCATE, BYTES, 0, 0, NULL, 0, &gone) ||
        ask(WIRE_FREE, gone, 0, 0, NULL, 0, NULL) ||
        ask(WIRE_WRITE, block, BYTES, 0, NULL, 0, NULL))
        reached("no memory at all");
    const uint64_t ranges[][2] = {{block - 1, 1},
                                  {block - BYTES, BYTES},
                                  {block, BYTES + 1},
                                  {block + BYTES, 1},
                                  {block + 1, BYTES},
                                  {block, ~0ull},
                                  {block, 1ull << 63},
                                  {block + 8, ~0ull - 4},
                                  {gone, 1},
                                  {gone + 64, 8},
                                  {0, 8},
                                  {0x400000, 8},
                                  {0x7ffff7000000, 4096},
                                  {~0ull - 7, 8},
                                  {(uintptr_t)&block, 8}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        uint64_t at = ranges[i][0], bytes = ranges[i][1];
        refused("a read", ask(WIRE_READ, at, bytes, 0, NULL, 0, NULL));
        refused("a write", ask(WIRE_WRITE, at, bytes, 0, NULL, 0, NULL));
        refused("a copy from there", ask(WIRE_COPY, block, at, bytes, NULL, 0, NULL));
        refused("a copy to there", ask(WIRE_COPY, at, block, bytes, NULL, 0, NULL));
        refused("a fill", ask(WIRE_FILL, at, 0x41, bytes, NULL, 0, NULL));
        if (at != block)
            refused("a free", ask(WIRE_FREE, at, 0, 0, NULL, 0, NULL));
    }
}

/* Numbers that are no handle of this dialog. */
static void use_handles(void) {
    static const uint64_t odd[] = {1, 7, 0xffff, 1ull << 32, 1ull << 63, ~0ull};
    for (int i = 0; i < 6; i++) {
        struct wire_launch launch = {.kernel = odd[i], .grid = {1, 1, 1}, .block = {1, 1, 1}};
        refused("a launch", ask(WIRE_LAUNCH, 0, 0, 0, &launch, sizeof launch, NULL));
        refused("half a launch", ask(WIRE_LAUNCH, 0, 0, 0, &launch, 5, NULL));
        refused("a kernel", ask(WIRE_KERNEL, odd[i], 0, 0, "k", 1, NULL));
        refused("a variable", ask(WIRE_VARIABLE, odd[i], 0, 0, "x", 1, NULL));
        refused("a function", ask(WIRE_FUNCTION, odd[i], 0, 0, NULL, 0, NULL));
        refused("an occupancy", ask(WIRE_OCCUPANCY, odd[i], 32, 0, NULL, 0, NULL));
        refused("clusters", ask(WIRE_CLUSTERS, 0, 0, 0, &launch, sizeof launch, NULL));
        refused("half a question", ask(WIRE_CLUSTERS, 0, 0, 0, &launch, 5, NULL));
        refused("a record", ask(WIRE_RECORD, odd[i], 0, 0, NULL, 0, NULL));
        refused("a time", ask(WIRE_ELAPSED, odd[i], odd[i], 0, NULL, 0, NULL));
        refused("a wait", ask(WIRE_WAIT, odd[i], 0, 0, NULL, 0, NULL));
        refused("an event's end", ask(WIRE_EVENT_END, odd[i], 0, 0, NULL, 0, NULL));
        refused("the default stream's end", ask(WIRE_STREAM_END, 0, 0, 0, NULL, 0, NULL));
        refused("shared memory", ask(WIRE_SHARE, odd[i] << 34, 1, 0, NULL, 0, NULL));
    }
}

static long make_array(uint64_t width, uint64_t height, uint64_t depth, uint32_t flags,
                       uint8_t levels, uint64_t *at) {
    struct wire_array array = {.width = width,
                               .height = height,
                               .depth = depth,
                               .flags = flags,
                               .levels = levels,
                               .channels = 1,
                               .bits = 32,
                               .kind = 2};
    return ask(WIRE_ARRAY, 0, 0, 0, &array, sizeof array, at);
}

/* Its texels are the worker's heap, too; the addresses that stand for them are nobody's. */
static void reach_around_arrays(void) {
    uint64_t array, levels, block, gone;
    static const uint8_t odd[][4] = {{0, 32, 2, 0}, {3, 32, 2, 0}, {1, 24, 2, 0}, {1, 8, 2, 0},
                                     {1, 32, 3, 0}, {1, 32, 2, 1}, {1, 32, 0, 1}, {1, 8, 0, 2}};
    if (make_array(10, 6, 0, 0, 0, &array) || make_array(16, 8, 0, 0, 4, &levels) ||
        make_array(4, 4, 0, 0, 0, &gone) || ask(WIRE_FREE, gone, 0, 0, NULL, 0, NULL) ||
        ask(WIRE_ALLOCATE, 4 * BYTES, 0, 0, NULL, 0, &block))
        reached("no array at all");
    const uint64_t ranges[][2] = {
        {array - 1, 4},   {array - 4, 4},    {array + 240, 4},          {array, 244},
        {array + 236, 8}, {array, ~0ull},    {array + 4, ~0ull},        {array, 1ull << 40},
        {gone, 4},        {levels + 508, 8}, {levels + 4, 512},         {levels + 684, 4},
        {levels, 680},    {levels, ~0ull},   {array + (1ull << 32), 4}, {1ull << 62, 1ull << 62},
        {1ull << 63, 4}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        uint64_t at = ranges[i][0], bytes = ranges[i][1];
        refused("a read of an array", ask(WIRE_READ, at, bytes, 0, NULL, 0, NULL));
        refused("a write to an array", ask(WIRE_WRITE, at, bytes, 0, NULL, 0, NULL));
        refused("a copy from an array", ask(WIRE_COPY, block, at, bytes, NULL, 0, NULL));
        refused("a copy to an array", ask(WIRE_COPY, at, block, bytes, NULL, 0, NULL));
        refused("a copy from array to array", ask(WIRE_COPY, array, at, bytes, NULL, 0, NULL));
        refused("a fill of an array", ask(WIRE_FILL, at, 0x41, bytes, NULL, 0, NULL));
    }
    refused("a fill", ask(WIRE_FILL, array, 0, 240, NULL, 0, NULL));
    refused("half a texel", ask(WIRE_WRITE, array + 2, 4, 0, NULL, 0, NULL));
    refused("no width", make_array(0, 1, 1, 0, 0, NULL));
    refused("a wide array", make_array(~0ull, 1, 1, 0, 0, NULL));
    refused("a large array", make_array(1 << 17, 1 << 17, 1 << 17, 0, 0, NULL));
    refused("a deep array", make_array(8, 8, 1ull << 40, 0, 0, NULL));
    refused("a sparse array", make_array(8, 8, 0, 0x40, 0, NULL));
    refused("an array with odd flags", make_array(8, 8, 0, ~0u, 0, NULL));
    refused("too many levels", make_array(8, 8, 0, 0, 5, NULL));
    refused("far too many levels", make_array(8, 8, 0, 0, 255, NULL));
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        struct wire_array wire = {.width = 8,
                                  .channels = odd[i][0],
                                  .bits = odd[i][1],
                                  .kind = odd[i][2],
                                  .normalized = odd[i][3]};
        refused("an odd format", ask(WIRE_ARRAY, 0, 0, 0, &wire, sizeof wire, NULL));
        refused("half an array", ask(WIRE_ARRAY, 0, 0, 0, &wire, 5, NULL));
    }
}

/* A texture is of an array as it was made, or begins in a block. */
static void make_textures(void) {
    uint64_t array, levels, block, layers, handle;
    if (make_array(16, 8, 0, 0, 0, &array) || make_array(16, 8, 0, 0, 4, &levels) ||
        make_array(8, 4, 6, 1, 0, &layers) || ask(WIRE_ALLOCATE, BYTES, 0, 0, NULL, 0, &block))
        reached("no array at all");
    const struct wire_texture sound = {.address = array,
                                       .width = 16,
                                       .height = 8,
                                       .depth = 1,
                                       .layers = 1,
                                       .dimensions = 2,
                                       .levels = 1,
                                       .channels = 1,
                                       .bits = 32,
                                       .kind = 2};
    if (ask(WIRE_TEXTURE, 0, 0, 0, &sound, sizeof sound, &handle))
        reached("no texture at all");
    struct wire_texture odd[32];
    for (int i = 0; i < 32; i++)
        odd[i] = sound;
    odd[0].address += 4;
    odd[1].address += 16 * 8 * 4;
    odd[2].address = 1ull << 62 | 1ull << 61;
    odd[3].address = 0;
    odd[4].width = 17;
    odd[5].height = 1 << 30;
    odd[6].depth = 2;
    odd[7].layers = 2;
    odd[8].levels = 2;
    odd[9].levels = 17;
    odd[10].dimensions = 3;
    odd[11].dimensions = 1;
    odd[12].layered = 1;
    odd[13].cube = 1;
    odd[14].linear = 1;
    odd[15].pitch = 512;
    odd[16].channels = 2;
    odd[17].bits = 16;
    odd[18].kind = 7;
    odd[19].address_mode[2] = 4;
    odd[20].filter = 2;
    odd[21].exact_levels = 2;
    odd[22].address = levels, odd[22].levels = 5;
    odd[23].address = levels + 512, odd[23].levels = 4, odd[23].width = 8, odd[23].height = 4;
    odd[24].address = levels + 512;
    odd[25].address = layers + 8 * 4 * 4, odd[25].width = 8, odd[25].height = 4,
    odd[25].layered = 1, odd[25].layers = 6;
    odd[26].address = layers + 32, odd[26].width = 8, odd[26].height = 4, odd[26].layered = 1,
    odd[26].layers = 1;
    odd[27].address = block; /* memory that says it is an array */
    odd[28].address = block, odd[28].linear = 1, odd[28].pitch = ~0ull / 8 + 1;
    odd[29].address = block, odd[29].linear = 1, odd[29].pitch = 1ull << 36,
    odd[29].height = 1 << 30;
    odd[30].address = block + BYTES, odd[30].linear = 1, odd[30].pitch = 64;
    odd[31].address = block - 512, odd[31].linear = 1, odd[31].pitch = 64;
    for (int i = 0; i < 32; i++) {
        char what[32];
        snprintf(what, sizeof what, "odd texture %d", i);
        refused(what, ask(WIRE_TEXTURE, 0, 0, 0, &odd[i], sizeof sound, NULL));
        odd[i].is_surface = 1;
        refused("an odd surface", ask(WIRE_TEXTURE, 0, 0, 0, &odd[i], sizeof sound, NULL));
    }
    refused("half a texture", ask(WIRE_TEXTURE, 0, 0, 0, &sound, 5, NULL));
    for (uint64_t other = 0; other < 4; other++) /* the worker's own driver knows none of them */
        if (ask(WIRE_TEXTURE_END, handle + other, other != 0, 0, NULL, 0, NULL))
            reached("the end of a texture that is none");
    if (ask(WIRE_TEXTURE_END, handle, 0, 0, NULL, 0, NULL) ||
        ask(WIRE_FREE, array, 0, 0, NULL, 0, NULL))
        reached("the worker's end");
    refused("a texture of what was freed", ask(WIRE_TEXTURE, 0, 0, 0, &sound, sizeof sound, NULL));
}

/* A module is text for ptxas, whatever it begins with. */
static void send_modules(void) {
    static const char *const texts[] = {
        "", "\177ELF\2\1\1", ".version 8.0\n.target sm_80\n.include \"/etc/passwd\"\n",
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k( {",
        ".attribute(.managed) .global .attribute(.managed) .attribute(.managed) .u64 "
        "a[0xffffffffffffffff];"};
    unsigned char *window = map_window();
    for (int i = 0; window && i < 5; i++) {
        memcpy(window, texts[i], strlen(texts[i]));
        if (ask(WIRE_TEXT, strlen(texts[i]), 0, 0, NULL, 0, NULL) < 0)
            reached("the worker's end");
        refused("a module", ask(WIRE_MODULE, 0, 0, 0, NULL, 0, NULL));
    }
    refused("a text beyond the window", ask(WIRE_TEXT, 1ull << 32, 0, 0, NULL, 0, NULL));
}

int main(void) {
    if (!greet())
        return 2;
    reach_around();
    reach_around_arrays();
    make_textures();
    use_handles();
    send_modules();
    if (ask(WIRE_SYNCHRONIZE, 0, 0, 0, NULL, 0, NULL) != 0)
        reached("the worker's end");
    puts("done");
}

#endif
