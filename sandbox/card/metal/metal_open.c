/* Opening the card: the first message says which, and brings two descriptors. */
#include "sandbox/card/metal/metal.h"
#include "sandbox/card/metal/metal_wire.h"

#include "sandbox/cuda/talk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

static bool did(struct metal_opened *opened, enum metal_stage stage, int code) {
    if (code == DRIVER_OK)
        return true;
    opened->stage = stage;
    opened->code = code;
    return false;
}

static bool open_driver(struct metal *metal, const struct metal_open *request,
                        struct metal_opened *opened) {
    if (!driver_open(&metal->driver, request->driver, opened->trouble, sizeof opened->trouble)) {
        opened->stage = METAL_LIBRARY;
        return false;
    }
    const char *missing = driver_missing_for_programs(&metal->driver);
    if (!missing)
        return true;
    opened->stage = METAL_FUNCTION;
    snprintf(opened->trouble, sizeof opened->trouble, "%s", missing);
    return false;
}

static bool open_card(struct metal *metal, const struct metal_open *request,
                      struct metal_opened *opened) {
    const struct driver *driver = &metal->driver;
    void *context = NULL;
    metal->times = request->times;
    if (request->has_visible)
        setenv("CUDA_VISIBLE_DEVICES", request->visible, 1);
    if (*request->order)
        setenv("CUDA_DEVICE_ORDER", request->order, 1);
    return open_driver(metal, request, opened) &&
           did(opened, METAL_INITIALISE, driver->cuInit(0)) &&
           did(opened, METAL_INITIALISE, driver->cuDeviceGet(&metal->device, (int)request->card)) &&
           did(opened, METAL_CONTEXT, driver->cuDevicePrimaryCtxRetain(&context, metal->device)) &&
           did(opened, METAL_CONTEXT, driver->cuCtxSetCurrent(context));
}

static bool map_exchange(struct metal *metal, int file) {
    struct stat info;
    if (fstat(file, &info) != 0 || info.st_size != METAL_EXCHANGE_BYTES)
        return false;
    void *mapped = mmap(NULL, METAL_EXCHANGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    metal->exchange = mapped == MAP_FAILED ? NULL : mapped;
    return metal->exchange;
}

bool metal_open(struct metal *metal, int *program, bool *is_open) {
    int descriptors[2] = {-1, -1};
    size_t count = 0;
    cleanup_text struct text frame = {0};
    cleanup_message struct protocol_message message = {0};
    struct metal_open request;
    struct metal_opened opened = {.stage = METAL_OPEN};
    if (talk_receive(metal->channel, -1, &frame, &message, descriptors, 2, &count) !=
            TALK_MESSAGE ||
        count != 2 || !metal_decode_open(&message, &request) ||
        !map_exchange(metal, descriptors[1]))
        return false;
    *program = descriptors[0];
    *is_open = open_card(metal, &request, &opened);
    return talk_send(metal->channel, metal_encode_opened(&opened), NULL, 0, NULL, 0);
}
