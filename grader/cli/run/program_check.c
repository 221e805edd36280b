/* Looks at a program before it is started, because the loader's message says little: which
 * libraries it is linked with stands in its dynamic section, which is found by the names in it.
 * A name that stands there for another reason is no harm: the program would have to carry it as a
 * whole string. The file is the user's; nothing of it is believed beyond its length. */
#include "grader/cli/run/program_check.h"

#include "sandbox/base/memory.h"

#include <ctype.h>
#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *stem, *name;
} libraries[] = {
#define LIBRARY(stem, name) {stem, name},
#include "grader/cli/run/library.def"
#undef LIBRARY
};

static const char driver_api[] = "the CUDA driver API";

/* A string of the file that begins so; NULL: there is none. It ends inside of the file. */
static const char *find_name(const char *bytes, size_t length, const char *beginning) {
    const char *end = bytes + length, *at = bytes;
    size_t size = strlen(beginning);
    while ((at = memmem(at, (size_t)(end - at), beginning, size))) {
        if (at > bytes && at[-1] == '\0' && memchr(at, '\0', (size_t)(end - at)))
            return at;
        at += size;
    }
    return NULL;
}

static enum status need(const char *file, const char *name, const char *library,
                        struct error *error) {
    error_set(error, STATUS_INVALID, "%s needs %s (%.64s), which is not there", file, name,
              library);
    error_hint(error, "Programs have the CUDA runtime alone: write what it does in kernels.");
    return STATUS_INVALID;
}

static enum status check_libraries(const char *file, const char *bytes, size_t length,
                                   struct error *error) {
    const char *found = find_name(bytes, length, "libcuda.so");
    if (found)
        return need(file, driver_api, found, error);
    for (size_t i = 0; i < ARRAY_LENGTH(libraries); i++) {
        char beginning[32];
        snprintf(beginning, sizeof beginning, "lib%s", libraries[i].stem);
        found = find_name(bytes, length, beginning);
        if (found && strstr(found, ".so"))
            return need(file, libraries[i].name, found, error);
    }
    return STATUS_OK;
}

/* The shell would take text for its commands. */
static bool is_linked(const char *bytes, size_t length) {
    return length >= SELFMAG && memcmp(bytes, ELFMAG, SELFMAG) == 0 &&
           !(length > offsetof(Elf64_Ehdr, e_type) &&
             bytes[offsetof(Elf64_Ehdr, e_type)] == ET_REL);
}

enum status program_check(const char *file, const char *bytes, size_t length, struct error *error) {
    if (!is_linked(bytes, length)) {
        error_set(error, STATUS_INVALID, "%s: this is an object, or text of nvcc's, and no program",
                  file);
        error_hint(error, "Leave out options like -c and -ptx; objects are linked by "
                          "`warpgrade nvcc -o program`.");
        return STATUS_INVALID;
    }
    static const char section[] = ".nv_fatbin", ours[] = "libcudart.so.13";
    const char *runtime = find_name(bytes, length, "libcudart.so");
    if (!runtime && memmem(bytes, length, section, sizeof section)) {
        error_set(
            error, STATUS_INVALID,
            "%s was linked with NVIDIA's static CUDA runtime, in whose place ours cannot step",
            file);
        error_hint(error, "Link it with -cudart shared, or build it with `warpgrade nvcc`; with "
                          "CMake: -DCMAKE_CUDA_RUNTIME_LIBRARY=Shared, and CUDA::cudart for "
                          "CUDA::cudart_static.");
        return STATUS_INVALID;
    }
    if (runtime && strcmp(runtime, ours) != 0) {
        error_set(error, STATUS_INVALID, "%s was built for another CUDA runtime, %.64s", file,
                  runtime);
        error_hint(error, "Build it with `warpgrade nvcc` or another nvcc of CUDA 13: %s is here.",
                   ours);
        return STATUS_INVALID;
    }
    return check_libraries(file, bytes, length, error);
}

/* "undefined reference to `cuInit'": cu and a capital, after anything but a letter. */
static bool names_driver(const char *message) {
    const char *at = message;
    while ((at = strstr(at, "cu"))) {
        bool begins = at == message || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');
        if (begins && isupper((unsigned char)at[2]) && strstr(message, "undefined reference"))
            return true;
        at += 2;
    }
    return false;
}

const char *program_check_message(const char *message) {
    if (!strstr(message, "undefined reference") && !strstr(message, "cannot find -l") &&
        !strstr(message, "o such file") && !strstr(message, "cannot open source file"))
        return NULL;
    for (size_t i = 0; i < ARRAY_LENGTH(libraries); i++)
        if (strstr(message, libraries[i].stem))
            return libraries[i].name;
    return names_driver(message) ? driver_api : NULL;
}

#define NEEDS_OPENMP "It needs OpenMP: write `-Xcompiler -fopenmp` before the program's name."
#define TEXTURE_REFERENCES                                                                         \
    "CUDA has no texture and surface references since version 12: make an object with "            \
    "cudaCreateTextureObject(), pass it to the kernel and read with tex1Dfetch<float>(object, i)."
#define CUDA_SAMPLES                                                                               \
    "It belongs to NVIDIA's cuda-samples and not to CUDA: name their folder, "                     \
    "-I cuda-samples/Common."
#define WINDOWS  "It is a header of Windows; programs are compiled for Linux here."
#define GRAPHICS "Graphics (OpenGL and its windows) are not there."

const char *program_check_advice(const char *message) {
    static const struct {
        const char *sign, *advice;
    } advices[] = {
        {"reference to `omp_", NEEDS_OPENMP},
        {"reference to `GOMP_", NEEDS_OPENMP},
        {"identifier \"cudaThread",
         "CUDA 13 has none of these: cudaThreadSynchronize() is cudaDeviceSynchronize() now, and "
         "cudaThreadExit() cudaDeviceReset()."},
        {"class \"cudaDeviceProp\" has no member",
         "CUDA 13 took clockRate, memoryClockRate, deviceOverlap, computeMode and others out of "
         "it: "
         "cudaDeviceGetAttribute(&value, cudaDevAttrClockRate, 0) asks for one of them."},
        {"texture is not a template", TEXTURE_REFERENCES},
        {"identifier \"texture\"", TEXTURE_REFERENCES},
        {"identifier \"cudaBindTexture", TEXTURE_REFERENCES},
        {"identifier \"cudaBindSurface", TEXTURE_REFERENCES},
        {"separate compilation mode",
         "Launches from kernels (dynamic parallelism) are not simulated: the host launches."},
        {"helper_cuda.h", CUDA_SAMPLES},
        {"helper_functions.h", CUDA_SAMPLES},
        {"helper_timer.h", CUDA_SAMPLES},
        {"helper_math.h", CUDA_SAMPLES},
        {"cutil", "CUDA has it no longer, since version 5: look at what calls return by "
                  "cudaGetErrorString(), and measure with events."},
        {"nvToolsExt.h", "CUDA 13 has it in another folder: #include <nvtx3/nvToolsExt.h>."},
        {"windows.h", WINDOWS},
        {"Windows.h", WINDOWS},
        {"conio.h", WINDOWS},
        {"mpi.h", "Programs of several processes (MPI) cannot run here."},
        {"GL/", GRAPHICS},
        {"glut", GRAPHICS},
        {"undefined reference",
         "Its body is not in this file: build the program with the files and "
         "libraries that have it by `warpgrade nvcc`, then `warpgrade run` "
         "it. A misspelt name looks the same."},
        {"cannot find -l",
         "`run` links with the system's libraries alone: build the program with its own by "
         "`warpgrade nvcc -L FOLDER`, then `warpgrade run` it. A misspelt name looks the same."},
        {"o such file", "Headers are found beside the file, from there by their paths, and in "
                        "folders of -I: name the folder that has it."},
        {"cannot open source file", "Headers are found beside the file, from there by their paths, "
                                    "and in folders of -I: name the folder that has it."},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(advices); i++)
        if (strstr(message, advices[i].sign))
            return advices[i].advice;
    return NULL;
}
