/* Arrays, copies of boxes, textures and surfaces, as cuda.h of 13.0 lays the driver's structures
 * out. tests/e2e/cases/abi.e2e compares them with the header. */
#ifndef WARPGRADE_SANDBOX_CUDA_DRIVER_TEXTURE_H
#define WARPGRADE_SANDBOX_CUDA_DRIVER_TEXTURE_H

#include <stddef.h>

/* CUarray_format; those of normalized integers are three for each kind and width: of 1, 2 and 4
 * channels. */
enum {
    DRIVER_UINT8 = 0x01,
    DRIVER_UINT16 = 0x02,
    DRIVER_UINT32 = 0x03,
    DRIVER_SINT8 = 0x08,
    DRIVER_SINT16 = 0x09,
    DRIVER_SINT32 = 0x0a,
    DRIVER_HALF = 0x10,
    DRIVER_FLOAT = 0x20,
    DRIVER_UNORM8 = 0xc0,
    DRIVER_UNORM16 = 0xc3,
    DRIVER_SNORM8 = 0xc6,
    DRIVER_SNORM16 = 0xc9,
};

/* CUDA_ARRAY3D_DESCRIPTOR */
enum {
    DRIVER_ARRAY_LAYERED = 0x01,
    DRIVER_ARRAY_SURFACE = 0x02,
    DRIVER_ARRAY_CUBEMAP = 0x04,
    DRIVER_ARRAY_GATHER = 0x08,
    DRIVER_ARRAY_COLOR = 0x20,
};
struct driver_array {
    size_t width, height, depth; /* texels; depth: also layers. 0: there is no such dimension */
    int format;
    unsigned channels, flags;
};

/* CUDA_MEMCPY3D, whose two sides have the same fields; `memory` is CUmemorytype. */
enum { DRIVER_ON_HOST = 1, DRIVER_IN_ARRAY = 3, DRIVER_UNIFIED = 4 };
struct driver_side {
    size_t x_bytes, y, z, level;
    int memory;
    const void *host;
    unsigned long long address;
    void *array, *reserved;
    size_t pitch, height;
};
struct driver_box {
    struct driver_side from, to;
    size_t width_bytes, height, depth;
};

/* CUDA_RESOURCE_DESC */
enum { DRIVER_OF_ARRAY, DRIVER_OF_MIPMAP, DRIVER_OF_LINEAR, DRIVER_OF_PITCH };
struct driver_resource {
    int type;
    union {
        void *array; /* or a mipmapped one */
        struct {
            unsigned long long address;
            int format;
            unsigned channels;
            size_t bytes;
        } linear;
        struct {
            unsigned long long address;
            int format;
            unsigned channels;
            size_t width, height, pitch;
        } plane;
        int reserved[32];
    } of;
    unsigned flags;
};

/* CUDA_TEXTURE_DESC */
enum {
    DRIVER_AS_INTEGER = 0x01,
    DRIVER_NORMALIZED = 0x02,
    DRIVER_SRGB = 0x10,
    DRIVER_NO_TRILINEAR_OPTIMIZATION = 0x20,
    DRIVER_SEAMLESS = 0x40,
};
struct driver_sampler {
    int address_mode[3], filter;
    unsigned flags, anisotropy;
    int level_filter;
    float bias, least, most, border[4];
    int reserved[12];
};

/* CUDA_RESOURCE_VIEW_DESC */
struct driver_view {
    int format; /* CUresourceViewFormat; 0: the resource's own */
    size_t width, height, depth;
    unsigned first_level, last_level, first_layer, last_layer, reserved[16];
};

#endif
