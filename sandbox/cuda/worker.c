/* The cuda worker's role: opens the driver, then does what it is asked, one message after the
 * other, until the other side hangs up.
 *
 * Everything that comes is a frame with descriptors; a wrong one ends the
 * worker, because who sends it is either broken or not our grader. A context that a kernel has
 * broken stays so for the whole process: the answer that says it is the worker's last. */
#include "sandbox/cuda/gpu.h"
#include "sandbox/cuda/talk.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/cuda/session.h"
#include "sandbox/engine/engine_wire.h"
#include "sandbox/worker/entry.h"
#include "sandbox/worker/worker.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file of the other side's. */
struct mapping {
    unsigned char *data; /* NULL: none */
    size_t length;
    dev_t device;
    ino_t file;
};

struct worker {
    int channel;
    struct gpu gpu;
    struct mapping mapping;
    bool has_driver, is_open;
    char nvml[WIRE_PATH_MAX], blas[WIRE_PATH_MAX];
    struct wire_cards cards;
};

static bool answer(const struct worker *worker, json_t *control, const void *bulk, size_t length) {
    return talk_send(worker->channel, control, bulk, length, NULL, 0);
}

/* ---- DRIVER ---------------------------------------------------------------------------------- */

static bool fail(struct wire_failure *failure, enum wire_stage stage, int code) {
    failure->stage = code == DRIVER_OK ? WIRE_STAGE_NONE : stage;
    failure->code = code;
    return code == DRIVER_OK;
}

static int device_uuid(const struct driver *driver, int device, char *text, size_t size) {
    unsigned char bytes[16] = {0};
    int code = driver->cuDeviceGetUuid_v2 ? driver->cuDeviceGetUuid_v2(bytes, device)
                                          : driver->cuDeviceGetUuid(bytes, device);
    size_t length = (size_t)snprintf(text, size, "GPU-");
    for (size_t i = 0; i < sizeof bytes; i++)
        length += (size_t)snprintf(text + length, size - length, "%s%02x",
                                   i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", bytes[i]);
    return code;
}

/* An attribute that this driver does not know is 0. */
static unsigned attribute(const struct driver *driver, int which, int device) {
    int value = 0;
    return driver->cuDeviceGetAttribute(&value, which, device) == DRIVER_OK && value > 0
               ? (unsigned)value
               : 0;
}

static bool look_at_card(const struct driver *driver, int ordinal, struct wire_cards *cards) {
    struct cuda_card *card = &cards->cards[cards->count];
    int device = 0, version = 0;
    size_t bytes = 0;
    if (!fail(&cards->failure, WIRE_STAGE_DEVICE, driver->cuDeviceGet(&device, ordinal)) ||
        !fail(&cards->failure, WIRE_STAGE_DEVICE,
              driver->cuDeviceGetName(card->name, sizeof card->name, device)) ||
        !fail(&cards->failure, WIRE_STAGE_DEVICE,
              device_uuid(driver, device, card->uuid, sizeof card->uuid)) ||
        !fail(&cards->failure, WIRE_STAGE_DEVICE, driver->cuDeviceTotalMem_v2(&bytes, device)) ||
        !fail(&cards->failure, WIRE_STAGE_DEVICE, driver->cuDriverGetVersion(&version)))
        return false;
    card->index = (unsigned)ordinal;
    card->major = attribute(driver, DEVICE_CAPABILITY_MAJOR, device);
    card->minor = attribute(driver, DEVICE_CAPABILITY_MINOR, device);
    card->sms = attribute(driver, DEVICE_MULTIPROCESSORS, device);
    card->memory_bytes = bytes;
    card->l2_bytes = attribute(driver, DEVICE_L2_BYTES, device);
    card->driver_version = version > 0 ? (unsigned)version : 0;
    card->sm_clock_khz = attribute(driver, DEVICE_CLOCK_KHZ, device);
    card->memory_clock_khz = attribute(driver, DEVICE_MEMORY_CLOCK_KHZ, device);
    card->exclusive = attribute(driver, DEVICE_COMPUTE_MODE, device) != COMPUTE_MODE_DEFAULT;
    cards->count++;
    return true;
}

static void look_at_cards(struct worker *worker, const struct wire_driver *request) {
    const struct driver *driver = &worker->gpu.driver;
    struct wire_cards *cards = &worker->cards;
    *cards = (struct wire_cards){0};
    if (request->has_visible)
        setenv("CUDA_VISIBLE_DEVICES", request->visible, 1);
    if (*request->order)
        setenv("CUDA_DEVICE_ORDER", request->order, 1);
    if (!driver_open(&worker->gpu.driver, request->driver, cards->failure.trouble,
                     sizeof cards->failure.trouble)) {
        cards->failure.stage = WIRE_STAGE_LIBRARY;
        return;
    }
    int count = 0;
    worker->has_driver =
        fail(&cards->failure, WIRE_STAGE_INITIALISE, driver->cuInit(0)) &&
        fail(&cards->failure, WIRE_STAGE_INITIALISE, driver->cuDeviceGetCount(&count));
    for (int i = 0; worker->has_driver && i < count && i < WIRE_MAX_CARDS; i++)
        if (!look_at_card(driver, i, cards))
            return;
}

static bool do_driver(struct worker *worker, const struct protocol_message *message) {
    struct wire_driver request;
    if (worker->has_driver || !wire_decode_driver(message, &request))
        return false;
    snprintf(worker->nvml, sizeof worker->nvml, "%s", request.nvml);
    snprintf(worker->blas, sizeof worker->blas, "%s", request.blas);
    look_at_cards(worker, &request);
    return answer(worker, wire_encode_cards(&worker->cards), NULL, 0);
}

/* ---- OPEN ------------------------------------------------------------------------------------ */

/* A whole file, ended by NUL, in memory that is never freed. */
static void *read_whole(int descriptor, size_t *length) {
    struct stat info;
    if (descriptor < 0 || fstat(descriptor, &info) != 0 || info.st_size <= 0 ||
        info.st_size > (off_t)1 << 30)
        return NULL;
    *length = (size_t)info.st_size;
    char *bytes = mem_zalloc(*length + 1);
    if (file_read_at(descriptor, bytes, *length, 0))
        return bytes;
    free(bytes);
    return NULL;
}

static const struct cuda_card *find_card(const struct wire_cards *cards, const char *uuid) {
    for (size_t i = 0; i < cards->count; i++)
        if (strcmp(cards->cards[i].uuid, uuid) == 0)
            return &cards->cards[i];
    return NULL;
}

static void open_card(struct worker *worker, const struct cuda_card *card,
                      struct wire_opened *opened) {
    struct gpu *gpu = &worker->gpu;
    const struct driver *driver = &gpu->driver;
    void *context = NULL;
    gpu->l2_bytes = card->l2_bytes;
    worker->is_open =
        fail(&opened->failure, WIRE_STAGE_DEVICE,
             driver->cuDeviceGet(&gpu->device, (int)card->index)) &&
        fail(&opened->failure, WIRE_STAGE_CONTEXT,
             driver->cuDevicePrimaryCtxRetain(&context, gpu->device)) &&
        fail(&opened->failure, WIRE_STAGE_CONTEXT, driver->cuCtxSetCurrent(context)) &&
        fail(&opened->failure, WIRE_STAGE_CONTEXT, driver->cuEventCreate(&gpu->started, 0)) &&
        fail(&opened->failure, WIRE_STAGE_CONTEXT, driver->cuEventCreate(&gpu->ended, 0));
}

/* What the kernel's printf() writes is collected by the driver, which writes it to standard output
 * when the kernel has ended. */
static int collect_printed(void) {
    int file = memfd_create("printed", MFD_CLOEXEC);
    return file >= 0 && dup2(file, STDOUT_FILENO) == STDOUT_FILENO ? file : -1;
}

static bool do_open(struct worker *worker, const struct protocol_message *message, int tools) {
    struct wire_open request;
    struct wire_opened opened = {0};
    size_t length;
    if (!worker->has_driver || worker->is_open || !wire_decode_open(message, &request))
        return false;
    worker->gpu.tools_image = read_whole(tools, &length);
    worker->gpu.printed = collect_printed();
    const struct cuda_card *card = find_card(&worker->cards, request.uuid);
    if (!worker->gpu.tools_image || worker->gpu.printed < 0)
        return false;
    if (card)
        open_card(worker, card, &opened);
    else
        fail(&opened.failure, WIRE_STAGE_DEVICE, DRIVER_INVALID_VALUE);
    if (worker->is_open)
        nvml_open(&worker->gpu.nvml, worker->nvml, request.uuid);
    if (worker->is_open && request.blas && *worker->blas)
        opened.has_blas = blas_open(&worker->gpu.blas, worker->blas, &opened.blas);
    return answer(worker, wire_encode_opened(&opened), NULL, 0);
}

/* ---- RUN ------------------------------------------------------------------------------------- */

/* What was printed since the last time, at most ENGINE_PRINTED_MAX bytes of it. */
static void take_printed(int file, struct text *printed, bool *cut) {
    struct stat info;
    fflush(stdout);
    if (fstat(file, &info) != 0 || info.st_size == 0)
        return;
    char *bytes = mem_alloc(ENGINE_PRINTED_MAX);
    ssize_t got = pread(file, bytes, ENGINE_PRINTED_MAX, 0);
    text_append_bytes(printed, bytes, got > 0 ? (size_t)got : 0);
    free(bytes);
    *cut = info.st_size > ENGINE_PRINTED_MAX;
    if (ftruncate(file, 0) != 0 || lseek(file, 0, SEEK_SET) != 0)
        *cut = true;
}

static bool is_mapped(const struct mapping *mapping, const struct stat *info) {
    return mapping->data && mapping->length == (uint64_t)info->st_size &&
           mapping->device == info->st_dev && mapping->file == info->st_ino;
}

/* The launch's data, as the other side shares it; NULL where there is none. The mapping stays for
 * the launches to come, which mostly have the same file: fresh pages cost more than the copies. A
 * mapped file lives on, so no other can have its number. */
static bool map_data(struct mapping *mapping, int descriptor, size_t length, unsigned char **data) {
    struct stat info;
    *data = NULL;
    if (length == 0)
        return true;
    if (fstat(descriptor, &info) != 0 || (uint64_t)info.st_size < length)
        return false;
    if (!is_mapped(mapping, &info)) {
        if (mapping->data)
            munmap(mapping->data, mapping->length);
        size_t whole = (size_t)info.st_size;
        void *mapped = mmap(NULL, whole, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
        *mapping = (struct mapping){.data = mapped == MAP_FAILED ? NULL : mapped,
                                    .length = whole,
                                    .device = info.st_dev,
                                    .file = info.st_ino};
    }
    *data = mapping->data;
    return *data != NULL;
}

/* *lives: whether the context does. */
static bool do_run(struct worker *worker, const struct protocol_message *message, int data_fd,
                   int image_fd, bool *lives) {
    struct engine_argument arguments[ENGINE_MAX_ARGUMENTS];
    struct cuda_blas_call blas;
    struct cuda_launch launch;
    struct wire_outcome outcome;
    unsigned char *data = NULL;
    size_t length = 0;
    if (!worker->is_open || !wire_decode_run(message, arguments, &blas, &launch) ||
        (launch.blas && !worker->gpu.blas.handle) ||
        !map_data(&worker->mapping, data_fd, launch.data_length, &data))
        return false;
    cleanup_free void *image = launch.blas ? NULL : read_whole(image_fd, &length);
    if (!launch.blas && (!image || length != launch.image_length))
        return false;
    *lives = gpu_run(&worker->gpu, &launch, image, data, &outcome);
    cleanup_text struct text printed = {0};
    take_printed(worker->gpu.printed, &printed, &outcome.printed_cut);
    return answer(worker, wire_encode_outcome(&outcome), text_string(&printed), printed.length);
}

/* ---- the loop -------------------------------------------------------------------------------- */

static bool do_clocks(struct worker *worker) {
    struct cuda_clocks clocks;
    nvml_read(&worker->gpu.nvml, &clocks);
    return answer(worker, wire_encode_clocks(&clocks), NULL, 0);
}

static bool do_copy(struct worker *worker, const struct protocol_message *message) {
    struct wire_copied copied;
    uint64_t bytes;
    if (!worker->is_open || !wire_decode_copy_request(message, &bytes))
        return false;
    gpu_copy_ceiling(&worker->gpu, bytes, &copied);
    return answer(worker, wire_encode_copied(&copied), NULL, 0);
}

static bool do_message(struct worker *worker, const struct protocol_message *message,
                       const int *descriptors, bool *lives) {
    enum wire_operation operation;
    if (!wire_operation_of(message, &operation))
        return false;
    switch (operation) {
    case WIRE_DRIVER:
        return do_driver(worker, message);
    case WIRE_OPEN:
        return do_open(worker, message, descriptors[0]);
    case WIRE_RUN:
        return do_run(worker, message, descriptors[0], descriptors[1], lives);
    case WIRE_CLOCKS:
        return worker->is_open && do_clocks(worker);
    case WIRE_COPY:
        return do_copy(worker, message);
    case WIRE_COUNT:
        break;
    }
    return false;
}

/* One request; false where it was the last. */
static bool serve(struct worker *worker, int *code) {
    int descriptors[TALK_MAX_DESCRIPTORS] = {-1, -1};
    size_t count = 0;
    cleanup_text struct text frame = {0};
    cleanup_message struct protocol_message message = {0};
    enum talk_state state = talk_receive(worker->channel, -1, &frame, &message, descriptors,
                                         TALK_MAX_DESCRIPTORS, &count);
    bool lives = true;
    bool served = state == TALK_MESSAGE && do_message(worker, &message, descriptors, &lives);
    for (size_t i = 0; i < count; i++)
        close(descriptors[i]);
    if (state == TALK_CLOSED)
        gpu_wipe(&worker->gpu);
    *code = state == TALK_CLOSED || (served && !lives) ? 0 : WORKER_EXIT_REFUSED;
    return served && lives;
}

static int run_session(const struct worker_entry *entry, struct text *response) {
    (void)response; /* every answer travels on the channel */
    int code = 0;
    struct worker *worker = mem_zalloc(sizeof *worker);
    worker->channel = worker_channel(entry);
    while (serve(worker, &code))
        ;
    return code;
}

const struct worker_role cuda_role = {.name = "cuda", .profile = JAIL_GPU, .run = run_session};
