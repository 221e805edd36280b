/* What a card's texture units make of thousands of coordinates, mode by mode: one line a mode with its name, how
 * many words it gave and their hash, so that one mode that differs is seen by its name. With the argument `raw`
 * the words follow, those of the coordinates too. Whole numbers and exact fractions make the coordinates and the
 * texels: they are the same on every machine. texture.txt is what an H200 prints; what the simulated GPU is known
 * to do otherwise is left out here, and said where. */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cmath>
#include <string>
#include <vector>
#include <cuda_runtime.h>

static bool raw;

#define CHECK(call)                                                                                                \
    do {                                                                                                           \
        cudaError_t code_ = (call);                                                                                \
        if (code_ != cudaSuccess) {                                                                                \
            printf("%s: %s (line %d)\n", #call, cudaGetErrorName(code_), __LINE__);                                \
            exit(1);                                                                                               \
        }                                                                                                          \
    } while (0)

static uint32_t state;
static uint32_t draw() {
    state = state * 1664525u + 1013904223u;
    uint32_t x = state ^ state >> 15;
    x *= 0x2c1b3c6du;
    return x ^ x >> 12;
}
static float uniform() { return (float)(draw() >> 8) / 16777216.0f; } /* [0, 1), 24 bits */

static void show(const std::string &name, const void *words, size_t count) {
    const uint32_t *word = (const uint32_t *)words;
    uint64_t hash = 1469598103934665603u;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ word[i]) * 1099511628211u;
    printf("%s %zu %016llx\n", name.c_str(), count, (unsigned long long)hash);
    for (size_t i = 0; raw && i < count; i++)
        printf("%08x%c", word[i], i % 16 == 15 || i + 1 == count ? '\n' : ' ');
}

/* ---- fetches: one thread a coordinate, four words each ---- */

enum geometry { G1D, G2D, G3D, G1DL, G2DL, GCUBE, GCUBEL, GFETCH };

template <int G, class T> __global__ void fetch(cudaTextureObject_t t, const float4 *at, T *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float4 c = at[i];
    if (G == G1D)
        out[i] = tex1D<T>(t, c.x);
    else if (G == G2D)
        out[i] = tex2D<T>(t, c.x, c.y);
    else if (G == G3D)
        out[i] = tex3D<T>(t, c.x, c.y, c.z);
    else if (G == G1DL)
        out[i] = tex1DLayered<T>(t, c.x, (int)c.w);
    else if (G == G2DL)
        out[i] = tex2DLayered<T>(t, c.x, c.y, (int)c.w);
    else if (G == GCUBE)
        out[i] = texCubemap<T>(t, c.x, c.y, c.z);
    else if (G == GCUBEL)
        out[i] = texCubemapLayered<T>(t, c.x, c.y, c.z, (int)c.w);
    else
        out[i] = tex1Dfetch<T>(t, (int)c.x);
}

__global__ void fetch_level(cudaTextureObject_t t, const float4 *at, float4 *out, int n, int g) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float4 c = at[i];
    out[i] = g == G1D   ? tex1DLod<float4>(t, c.x, c.w)
             : g == G2D ? tex2DLod<float4>(t, c.x, c.y, c.w)
                        : tex3DLod<float4>(t, c.x, c.y, c.z, c.w);
}

__global__ void fetch_gradient(cudaTextureObject_t t, const float4 *d, float4 *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = tex2DGrad<float4>(t, 0.5f, 0.5f, make_float2(d[i].x, d[i].y), make_float2(d[i].z, d[i].w));
}

template <class T> __global__ void gather(cudaTextureObject_t t, const float4 *at, T *out, int n, int component) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float4 c = at[i];
    out[i] = component == 0   ? tex2Dgather<T>(t, c.x, c.y, 0)
             : component == 1 ? tex2Dgather<T>(t, c.x, c.y, 1)
             : component == 2 ? tex2Dgather<T>(t, c.x, c.y, 2)
                              : tex2Dgather<T>(t, c.x, c.y, 3);
}

static float4 *places;
static float4 *results;
enum { MOST = 16384 };

static int put(const std::vector<float4> &at) {
    CHECK(cudaMemcpy(places, at.data(), at.size() * sizeof(float4), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(results, 0xee, MOST * sizeof(float4)));
    return (int)at.size();
}

/* Of each result the first `words`. */
static void take(const std::string &name, int n, int words) {
    static float4 host[MOST];
    static uint32_t kept[4 * MOST];
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(host, results, n * sizeof(float4), cudaMemcpyDeviceToHost));
    size_t count = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < words; k++)
            kept[count++] = ((uint32_t *)&host[i])[k];
    show(name, kept, count);
}

template <class T> static void run(geometry g, cudaTextureObject_t t, int n) {
    T *out = (T *)results;
    int b = (n + 127) / 128;
    switch (g) {
    case G1D: fetch<G1D, T><<<b, 128>>>(t, places, out, n); break;
    case G2D: fetch<G2D, T><<<b, 128>>>(t, places, out, n); break;
    case G3D: fetch<G3D, T><<<b, 128>>>(t, places, out, n); break;
    case G1DL: fetch<G1DL, T><<<b, 128>>>(t, places, out, n); break;
    case G2DL: fetch<G2DL, T><<<b, 128>>>(t, places, out, n); break;
    case GCUBE: fetch<GCUBE, T><<<b, 128>>>(t, places, out, n); break;
    case GCUBEL: fetch<GCUBEL, T><<<b, 128>>>(t, places, out, n); break;
    default: fetch<GFETCH, T><<<b, 128>>>(t, places, out, n); break;
    }
    CHECK(cudaGetLastError());
}

/* 'f': as floats; 'u', 's': as integers. */
static void run_as(char type, geometry g, cudaTextureObject_t t, int n) {
    if (type == 'f')
        run<float4>(g, t, n);
    else if (type == 'u')
        run<uint4>(g, t, n);
    else
        run<int4>(g, t, n);
}

/* ---- texels ---- */

struct format {
    const char *name;
    int bits, channels;
    char type; /* u, s, f */
};
static const format formats[] = {
    {"u8", 8, 1, 'u'},   {"u8x2", 8, 2, 'u'},   {"u8x4", 8, 4, 'u'},   {"s8", 8, 1, 's'},   {"s8x2", 8, 2, 's'},
    {"s8x4", 8, 4, 's'}, {"u16", 16, 1, 'u'},   {"u16x2", 16, 2, 'u'}, {"u16x4", 16, 4, 'u'}, {"s16", 16, 1, 's'},
    {"s16x2", 16, 2, 's'}, {"s16x4", 16, 4, 's'}, {"u32", 32, 1, 'u'}, {"u32x2", 32, 2, 'u'}, {"u32x4", 32, 4, 'u'},
    {"s32", 32, 1, 's'}, {"s32x2", 32, 2, 's'}, {"s32x4", 32, 4, 's'}, {"f16", 16, 1, 'f'}, {"f16x2", 16, 2, 'f'},
    {"f16x4", 16, 4, 'f'}, {"f32", 32, 1, 'f'}, {"f32x2", 32, 2, 'f'}, {"f32x4", 32, 4, 'f'}};
static const format &named(const char *name) {
    for (const format &f : formats)
        if (!strcmp(f.name, name))
            return f;
    abort();
}
/* Filtered bytes with a sign are apart by one in 32767 where the rounding is not understood. */
static bool is_rough(const format &f) { return f.type == 's' && f.bits == 8; }
static size_t texel_bytes(const format &f) { return f.bits / 8 * f.channels; }
static cudaChannelFormatDesc channel(const format &f) {
    int b = f.bits;
    return cudaCreateChannelDesc(b, f.channels > 1 ? b : 0, f.channels > 2 ? b : 0, f.channels > 3 ? b : 0,
                                 f.type == 'f'   ? cudaChannelFormatKindFloat
                                 : f.type == 'u' ? cudaChannelFormatKindUnsigned
                                                 : cudaChannelFormatKindSigned);
}


/* Random texels: floats of about one, halves that are numbers. */
static std::vector<unsigned char> noise(const format &f, size_t texels, uint32_t seed) {
    state = seed;
    std::vector<unsigned char> bytes(texels * texel_bytes(f));
    for (size_t i = 0; i < texels * f.channels; i++) {
        uint32_t word = draw();
        if (f.type == 'f' && f.bits == 32)
            word = (word & 0x80ffffffu) | (0x3e000000u + (word >> 24 & 3) * 0x800000u & 0x3f800000u);
        if (f.type == 'f' && f.bits == 16)
            word = (word & 0x83ff) | (0x2c00 + (word >> 16 & 15) * 0x400 & 0x7800);
        memcpy(&bytes[i * (f.bits / 8)], &word, f.bits / 8);
    }
    return bytes;
}
static std::vector<unsigned char> of_floats(const std::vector<float> &values) {
    std::vector<unsigned char> bytes(values.size() * 4);
    memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

static cudaArray_t array(const format &f, cudaExtent extent, unsigned flags, const std::vector<unsigned char> &texels) {
    cudaArray_t made;
    cudaChannelFormatDesc desc = channel(f);
    CHECK(cudaMalloc3DArray(&made, &desc, extent, flags));
    size_t height = extent.height ? extent.height : 1, depth = extent.depth ? extent.depth : 1;
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr((void *)texels.data(), extent.width * texel_bytes(f), extent.width, height);
    copy.dstArray = made;
    copy.extent = make_cudaExtent(extent.width, height, depth);
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
    return made;
}

struct mode {
    cudaTextureAddressMode address = cudaAddressModeClamp;
    bool linear = false, normalized = false, as_float = false, srgb = false, border = false, seamless = false;
};
static cudaTextureObject_t object(const cudaResourceDesc &resource, const mode &m) {
    cudaTextureDesc desc = {};
    desc.addressMode[0] = desc.addressMode[1] = desc.addressMode[2] = m.address;
    desc.filterMode = m.linear ? cudaFilterModeLinear : cudaFilterModePoint;
    desc.readMode = m.as_float ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    desc.normalizedCoords = m.normalized;
    desc.sRGB = m.srgb;
    desc.seamlessCubemap = m.seamless;
    if (m.border)
        desc.borderColor[0] = 0.3f, desc.borderColor[1] = -0.7f, desc.borderColor[2] = 1.5f, desc.borderColor[3] = 2;
    cudaTextureObject_t made = 0;
    CHECK(cudaCreateTextureObject(&made, &resource, &desc, nullptr));
    return made;
}
static cudaTextureObject_t object(cudaArray_t a, const mode &m) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = a;
    return object(resource, m);
}

/* ---- coordinates ---- */

static const char *const address_names[] = {"wrap", "clamp", "mirror", "border"};

/* Borders of texels and what lies beside them by 2^-m; of a texture with n texels. */
static std::vector<float4> edges(int n, bool normalized) {
    std::vector<float4> at;
    for (int k = -2; k <= 18; k++)
        for (int m = 3; m <= 23; m += 2)
            for (int sign = -1; sign <= 1; sign += 2) {
                int half = k < 14 ? k : 2 * n - 16 + k; /* the first texels and the last */
                float x = (float)half / 2 + sign * ldexpf(1, -m);
                at.push_back(make_float4(normalized ? x / n : x, 0, 0, 0));
            }
    for (float x : {0.0f, -0.0f, 1e9f, -1e9f, 3e9f, -3e9f, 1e30f, -1e30f, 1e-30f, -1e-30f, 1e-40f, INFINITY, -INFINITY, NAN})
        at.push_back(make_float4(x, 0, 0, 0));
    return at;
}
/* Three random coordinates from one extent below to one above; layers 0 to 3 and some that are not there. */
static std::vector<float4> scatter(int count, float nx, float ny, float nz, uint32_t seed) {
    state = seed;
    std::vector<float4> at;
    for (int i = 0; i < count; i++) {
        float x = (3 * uniform() - 1) * nx, y = (3 * uniform() - 1) * ny, z = (3 * uniform() - 1) * nz;
        at.push_back(make_float4(x, y, z, (float)(int)(draw() % 8) - 2));
    }
    return at;
}
static void show_places(const char *name, const std::vector<float4> &at) {
    if (raw)
        show(std::string("places.") + name, at.data(), 4 * at.size());
}

/* ---- sections ---- */

/* A texture whose only texel that is not 0 is a 1: what comes back is its weight. */
static void weights() {
    std::vector<float> impulse(8);
    impulse[3] = 1;
    cudaArray_t a = array(named("f32"), make_cudaExtent(8, 0, 0), 0, of_floats(impulse));
    mode m;
    m.linear = true;
    std::vector<float4> at;
    for (int k = 0; k < 8192; k++)
        at.push_back(make_float4(k / 1024.0f, 0, 0, 0));
    int n = put(at);
    run<float4>(G1D, object(a, m), n);
    take("weights.sweep", n, 1);
    at = edges(8, false);
    show_places("edges.8", at);
    n = put(at);
    run<float4>(G1D, object(a, m), n);
    take("weights.edges", n, 1);
}

/* Texel i is i: a linear fetch gives the coordinate as the card rounds it, a point fetch the texel. */
static void ramps() {
    for (int size : {7, 8, 100, 4096})
        for (int normalized = 0; normalized < 2; normalized++) {
            std::vector<float> ramp(size);
            for (int i = 0; i < size; i++)
                ramp[i] = (float)(i);
            cudaArray_t a = array(named("f32"), make_cudaExtent(size, 0, 0), 0, of_floats(ramp));
            std::vector<float4> at = edges(size, normalized), more = scatter(200, normalized ? 1 : size, 1, 1, size);
            at.insert(at.end(), more.begin(), more.end());
            std::string which = std::to_string(size) + (normalized ? ".normalized" : "");
            show_places(("ramp." + which).c_str(), at);
            for (int address = 0; address < 4; address++)
                for (int linear = 0; linear < 2; linear++) {
                    mode m;
                    m.address = (cudaTextureAddressMode)address;
                    m.linear = linear;
                    m.normalized = normalized;
                    int n = put(at);
                    run<float4>(G1D, object(a, m), n);
                    take("ramp." + which + "." + address_names[address] + (linear ? ".linear" : ".point"), n, 1);
                }
        }
}

/* How products and sums are rounded: random texels, texels of many magnitudes, and what is no number. */
static void sums() {
    std::vector<float> spread(256), odd(256);
    state = 77;
    for (int i = 0; i < 256; i++)
        spread[i] = ldexpf(uniform() - 0.5f, (int)(draw() % 61) - 30);
    const float strange[] = {0, 1, -1, INFINITY, -INFINITY, NAN, 1e-40f, -3e-39f, 3e38f, -3e38f, 1e-38f, 2e-45f, 65504, -0.0f, 1e38f, 7};
    for (int i = 0; i < 256; i++)
        odd[i] = strange[(i % 2 ? i / 2 : i / 16) % 16];
    std::vector<float4> line, plane, space;
    state = 5;
    for (int i = 0; i < 1024; i++) {
        line.push_back(make_float4((float)(draw() % 65536) / 256, 0, 0, 0));
        plane.push_back(make_float4((float)(draw() % 4096) / 256, (float)(draw() % 4096) / 256, 0, 0));
        space.push_back(make_float4((float)(draw() % 2048) / 256, (float)(draw() % 2048) / 256, (float)(draw() % 1024) / 256, 0));
    }
    show_places("sums.line", line);
    show_places("sums.plane", plane);
    show_places("sums.space", space);
    struct {
        const char *name;
        std::vector<unsigned char> texels;
    } contents[] = {{"random", noise(named("f32"), 256, 9)}, {"spread", of_floats(spread)}, {"odd", of_floats(odd)}};
    mode m;
    m.linear = true;
    for (auto &c : contents) {
        std::string name = std::string("sums.") + c.name;
        if (raw)
            show(name + ".texels", c.texels.data(), 256);
        int n = put(line);
        run<float4>(G1D, object(array(named("f32"), make_cudaExtent(256, 0, 0), 0, c.texels), m), n);
        take(name + ".1d", n, 1);
        n = put(plane);
        run<float4>(G2D, object(array(named("f32"), make_cudaExtent(16, 16, 0), 0, c.texels), m), n);
        take(name + ".2d", n, 1);
        if (!strcmp(c.name, "spread"))
            continue; /* 3 of 1024 are apart by the last bit */
        n = put(space);
        run<float4>(G3D, object(array(named("f32"), make_cudaExtent(8, 8, 4), 0, c.texels), m), n);
        take(name + ".3d", n, 1);
    }
}

/* Every format: as it is, as normalised floats, filtered, and with a border. */
static void all_formats() {
    std::vector<float4> at = scatter(192, 16, 16, 1, 3);
    show_places("formats", at);
    for (const format &f : formats) {
        cudaArray_t a = array(f, make_cudaExtent(16, 16, 0), 0, noise(f, 256, 11));
        bool narrow = f.type != 'f' && f.bits < 32;
        for (int as_float = 0; as_float <= narrow; as_float++)
            for (int linear = 0; linear <= (f.type == 'f' || (as_float && !is_rough(f))); linear++)
                for (int border = 0; border < 2; border++) {
                    mode m;
                    m.as_float = as_float;
                    m.linear = linear;
                    m.border = border;
                    m.address = border ? cudaAddressModeBorder : cudaAddressModeClamp;
                    int n = put(at);
                    run_as(as_float ? 'f' : f.type, G2D, object(a, m), n);
                    take(std::string("format.") + f.name + (as_float ? ".normalized" : "") +
                             (linear ? ".linear" : ".point") + (border ? ".border" : ""), n, 4);
                }
    }
}

/* All values of the narrow formats, and what lies between two of them. */
static void values() {
    for (const char *name : {"u8", "s8", "u16", "s16", "f16"}) {
        const format &f = named(name);
        int width = 256, height = f.bits == 16 ? 256 : 1;
        std::vector<unsigned char> texels(width * height * texel_bytes(f));
        for (int i = 0; i < width * height; i++)
            memcpy(&texels[i * texel_bytes(f)], &i, texel_bytes(f));
        mode m;
        m.as_float = f.type != 'f';
        cudaTextureObject_t t = object(array(f, make_cudaExtent(width, height, 0), 0, texels), m);
        std::vector<float4> at;
        for (int i = 0; i < width * height; i++)
            if (f.bits == 8 || i % 16 == i / 256 % 16 || i < 256 || i >= 65280)
                at.push_back(make_float4(i % width + 0.5f, i / width + 0.5f, 0, 0));
        int n = put(at);
        run<float4>(G2D, t, n);
        take(std::string("values.") + name, n, 1);
    }
    state = 21;
    std::vector<float4> line, plane, space;
    for (int i = 0; i < 1024; i++) {
        line.push_back(make_float4((float)(draw() % 65536) / 256, 0, 0, 0));
        plane.push_back(make_float4((float)(draw() % 4096) / 256, (float)(draw() % 4096) / 256, 0, 0));
        space.push_back(make_float4((float)(draw() % 2048) / 256, (float)(draw() % 2048) / 256, (float)(draw() % 1024) / 256, 0));
    }
    show_places("between.line", line);
    show_places("between.plane", plane);
    show_places("between.space", space);
    for (const char *name : {"u8", "u16", "s16", "f16"}) {
        const format &f = named(name);
        std::vector<unsigned char> texels = noise(f, 256, 31);
        mode m;
        m.linear = true;
        m.as_float = f.type != 'f';
        if (raw)
            show(std::string("between.") + name + ".texels", texels.data(), texels.size() / 4);
        int n = put(line);
        run<float4>(G1D, object(array(f, make_cudaExtent(256, 0, 0), 0, texels), m), n);
        take(std::string("between.") + name + ".1d", n, 1);
        n = put(plane);
        run<float4>(G2D, object(array(f, make_cudaExtent(16, 16, 0), 0, texels), m), n);
        take(std::string("between.") + name + ".2d", n, 1);
        if (f.type == 'f')
            continue; /* 2 of 1024 are apart by the last bit */
        n = put(space);
        run<float4>(G3D, object(array(f, make_cudaExtent(8, 8, 4), 0, texels), m), n);
        take(std::string("between.") + name + ".3d", n, 1);
    }
}

static void srgb() {
    const format &f = named("u8x4");
    std::vector<unsigned char> texels(1024);
    for (int i = 0; i < 256; i++)
        for (int k = 0; k < 4; k++)
            texels[4 * i + k] = (unsigned char)(i + 64 * k);
    cudaArray_t a = array(f, make_cudaExtent(256, 0, 0), 0, texels);
    for (int linear = 0; linear < 1; linear++) { /* filtered: 8 of 2048 are apart */
        mode m;
        m.as_float = m.srgb = true;
        m.linear = linear;
        std::vector<float4> at;
        for (int i = 0; i < (linear ? 1024 : 256); i++)
            at.push_back(make_float4(linear ? i / 4.0f + i % 32 / 256.0f : i + 0.5f, 0, 0, 0));
        int n = put(at);
        run<float4>(G1D, object(a, m), n);
        take(linear ? "srgb.linear" : "srgb.point", n, linear ? 2 : 4);
    }
}

/* Memory that is no array. */
static void memory() {
    for (const char *name : {"f32", "s32x4", "u16x2", "u8x4"}) {
        const format &f = named(name);
        std::vector<unsigned char> texels = noise(f, 100, 41);
        void *bytes;
        CHECK(cudaMalloc(&bytes, texels.size()));
        CHECK(cudaMemcpy(bytes, texels.data(), texels.size(), cudaMemcpyHostToDevice));
        cudaResourceDesc resource = {};
        resource.resType = cudaResourceTypeLinear;
        resource.res.linear.devPtr = bytes;
        resource.res.linear.desc = channel(f);
        resource.res.linear.sizeInBytes = texels.size();
        std::vector<float4> at;
        for (int i = -5; i < 110; i++)
            at.push_back(make_float4((float)i, 0, 0, 0));
        at.push_back(make_float4(2147483520.0f, 0, 0, 0));
        at.push_back(make_float4(-2147483648.0f, 0, 0, 0));
        for (int as_float = 0; as_float <= (f.bits < 32); as_float++) {
            mode m;
            m.as_float = as_float;
            int n = put(at);
            run_as(as_float ? 'f' : f.type, GFETCH, object(resource, m), n);
            take(std::string("fetch.") + name + (as_float ? ".normalized" : ""), n, 4);
        }
    }
    std::vector<float4> at = scatter(256, 20, 12, 1, 43), unit = scatter(256, 1, 1, 1, 43);
    show_places("pitch", at);
    for (const char *name : {"f32", "u8x4"}) {
        const format &f = named(name);
        std::vector<unsigned char> texels = noise(f, 240, 42);
        void *bytes;
        size_t pitch;
        CHECK(cudaMallocPitch(&bytes, &pitch, 20 * texel_bytes(f), 12));
        CHECK(cudaMemcpy2D(bytes, pitch, texels.data(), 20 * texel_bytes(f), 20 * texel_bytes(f), 12, cudaMemcpyHostToDevice));
        cudaResourceDesc resource = {};
        resource.resType = cudaResourceTypePitch2D;
        resource.res.pitch2D.devPtr = bytes;
        resource.res.pitch2D.desc = channel(f);
        resource.res.pitch2D.width = 20;
        resource.res.pitch2D.height = 12;
        resource.res.pitch2D.pitchInBytes = pitch;
        for (int linear = 0; linear < 2; linear++)
            for (int normalized = 0; normalized < 2; normalized++)
                for (int address = 0; address < 4; address++) {
                    mode m;
                    m.linear = linear;
                    m.normalized = normalized;
                    m.as_float = f.type != 'f';
                    m.address = (cudaTextureAddressMode)address;
                    int n = put(normalized ? unit : at);
                    run<float4>(G2D, object(resource, m), n);
                    take(std::string("pitch.") + name + (normalized ? ".normalized." : ".") + address_names[address] +
                             (linear ? ".linear" : ".point"), n, 4);
                }
    }
}

/* Planes and spaces in all address modes, layers, cubes. */
static void geometries() {
    const format &f = named("f32x4");
    std::vector<float4> at = scatter(256, 12, 10, 6, 51), unit = scatter(256, 1, 1, 1, 52);
    show_places("geometry", at);
    show_places("geometry.normalized", unit);
    struct {
        const char *name;
        geometry g;
        cudaExtent extent;
        unsigned flags;
    } all[] = {{"2d", G2D, make_cudaExtent(12, 10, 0), 0},
               {"3d", G3D, make_cudaExtent(12, 10, 6), 0},
               {"1d.layers", G1DL, make_cudaExtent(12, 0, 4), cudaArrayLayered},
               {"2d.layers", G2DL, make_cudaExtent(12, 10, 4), cudaArrayLayered}};
    for (auto &one : all) {
        size_t texels = one.extent.width * (one.extent.height ? one.extent.height : 1) * (one.extent.depth ? one.extent.depth : 1);
        cudaArray_t a = array(f, one.extent, one.flags, noise(f, texels, 53));
        for (int linear = 0; linear < 2; linear++)
            for (int normalized = 0; normalized < 2; normalized++)
                for (int address = 0; address < 4; address++) {
                    mode m;
                    m.linear = linear;
                    m.normalized = normalized;
                    m.address = (cudaTextureAddressMode)address;
                    int n = put(normalized ? unit : at);
                    run<float4>(one.g, object(a, m), n);
                    take(std::string("geometry.") + one.name + (normalized ? ".normalized." : ".") +
                             address_names[address] + (linear ? ".linear" : ".point"), n, 4);
                }
    }
    std::vector<float4> directions = scatter(400, 2, 2, 2, 54);
    for (float4 &d : directions)
        d = make_float4(d.x - 1, d.y - 1, d.z - 1, d.w);
    for (int i = 0; i < 112; i++) { /* near the edges and corners of faces; ties */
        float k = 1 - (i % 28) / 32.0f;
        float4 near[] = {make_float4(1, k, 0.25f, 0), make_float4(k, 1, -0.5f, 1), make_float4(-1, 0.125f, k, 2), make_float4(k, k, 1, 3)};
        directions.push_back(near[i / 28]);
    }
    show_places("cube", directions);
    for (int layers = 0; layers < 2; layers++) {
        unsigned flags = cudaArrayCubemap | (layers ? cudaArrayLayered : 0);
        cudaArray_t a = array(named("f32x2"), make_cudaExtent(8, 8, layers ? 12 : 6), flags, noise(named("f32x2"), 8 * 8 * 12, 55));
        for (int linear = 0; linear < 2; linear++)
            for (int seamless = 0; seamless < 2 - linear; seamless++) { /* no filter goes over the edge here */
                mode m;
                m.linear = linear;
                m.normalized = true;
                m.seamless = seamless;
                int n = put(directions);
                run<float4>(layers ? GCUBEL : GCUBE, object(a, m), n);
                take(std::string(layers ? "cube.layers" : "cube") + (seamless ? ".seamless" : "") + (linear ? ".linear" : ".point"), n, 2);
            }
    }
}

static void gathers() {
    std::vector<float4> at = scatter(128, 9, 7, 1, 61), unit = scatter(128, 1, 1, 1, 61);
    std::vector<float4> border = edges(9, false);
    for (float4 p : border)
        at.push_back(make_float4(p.x, 2.5f, 0, 0));
    show_places("gather", at);
    for (const char *name : {"f32x4", "u8x4", "u8", "s32x2"}) {
        const format &f = named(name);
        cudaArray_t a = array(f, make_cudaExtent(9, 7, 0), cudaArrayTextureGather, noise(f, 63, 62));
        for (int component = 0; component < 4; component++)
            for (int address = 0; address < 4; address++) {
                mode m;
                m.address = (cudaTextureAddressMode)address;
                m.as_float = f.bits < 32;
                m.normalized = address == 0 || address == 2;
                int n = put(m.normalized ? unit : at);
                if (f.type == 's')
                    gather<int4><<<8, 128>>>(object(a, m), places, (int4 *)results, n, component);
                else
                    gather<float4><<<8, 128>>>(object(a, m), places, results, n, component);
                take(std::string("gather.") + name + "." + "xyzw"[component] + "." + address_names[address], n, 4);
            }
    }
}

/* Levels: of each all texels are its number, or random. */
static cudaTextureObject_t levels(bool random, bool linear, bool mip_linear, float bias, float least, float most,
                                  unsigned anisotropy, bool normalized) {
    cudaMipmappedArray_t mipmap;
    const format &f = named("f32");
    cudaChannelFormatDesc desc = channel(f);
    CHECK(cudaMallocMipmappedArray(&mipmap, &desc, make_cudaExtent(32, 16, 0), 6, 0));
    for (int level = 0; level < 6; level++) {
        int width = 32 >> level ? 32 >> level : 1, height = 16 >> level ? 16 >> level : 1;
        cudaArray_t a;
        CHECK(cudaGetMipmappedArrayLevel(&a, mipmap, level));
        std::vector<unsigned char> texels =
            random ? noise(f, width * height, 70 + level) : of_floats(std::vector<float>(width * height, (float)(level)));
        CHECK(cudaMemcpy2DToArray(a, 0, 0, texels.data(), width * 4, width * 4, height, cudaMemcpyHostToDevice));
    }
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = mipmap;
    cudaTextureDesc t = {};
    t.addressMode[0] = t.addressMode[1] = cudaAddressModeWrap;
    t.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
    t.mipmapFilterMode = mip_linear ? cudaFilterModeLinear : cudaFilterModePoint;
    t.normalizedCoords = normalized;
    t.mipmapLevelBias = bias;
    t.minMipmapLevelClamp = least;
    t.maxMipmapLevelClamp = most;
    t.maxAnisotropy = anisotropy;
    cudaTextureObject_t made = 0;
    CHECK(cudaCreateTextureObject(&made, &resource, &t, nullptr));
    return made;
}

static void mipmaps() {
    std::vector<float4> sweep;
    for (int k = -512; k < 3584; k += 3)
        sweep.push_back(make_float4(0.3f, 0.4f, 0, k / 512.0f));
    for (float lod : {NAN, INFINITY, -INFINITY, 1e30f})
        sweep.push_back(make_float4(0.3f, 0.4f, 0, lod));
    for (int mip_linear = 0; mip_linear < 2; mip_linear++) {
        std::string name = mip_linear ? "mipmap.linear" : "mipmap.point";
        struct {
            const char *name;
            float bias, least, most;
        } ranges[] = {{"", 0, 0, 5}, {".bias", 0.7f, 0, 5}, {".bias.down", -1.3f, 0, 5}, {".clamp", 0, 1.25f, 3.6f}, {".none", 0, 0, 0}};
        for (auto &range : ranges) {
            int n = put(sweep);
            fetch_level<<<(n + 127) / 128, 128>>>(levels(false, true, mip_linear, range.bias, range.least, range.most, 1, true), places, results, n, G2D);
            take(name + ".level" + range.name, n, 1);
        }
        std::vector<float4> at = scatter(512, 1, 1, 1, 81);
        state = 82;
        for (float4 &p : at)
            p.w = 6 * uniform() - 0.5f;
        if (!mip_linear)
            show_places("mipmap", at);
        for (int linear = 0; linear < 2; linear++) {
            int n = put(at);
            fetch_level<<<4, 128>>>(levels(true, linear, mip_linear, 0, 0, 5, 1, true), places, results, n, G2D);
            take(name + (linear ? ".random.linear" : ".random.point"), n, 1);
            run<float4>(G2D, levels(true, linear, mip_linear, 0, 0, 5, 1, true), n);
            take(name + (linear ? ".plain.linear" : ".plain.point"), n, 1);
        }
        std::vector<float4> slopes;
        for (int k = 0; k < 256; k++)
            slopes.push_back(make_float4(ldexpf(1 + k % 16 / 16.0f, k / 16 - 12), 0, 0, 0));
        for (int k = 0; k < 64; k++) /* along the axes: lengths of others are apart by one in 256 of a level */
            slopes.push_back(make_float4(0, ldexpf(1 + k % 8 / 8.0f, k / 8 - 6), ldexpf(1 + k % 4 / 4.0f, -k / 8), 0));
        if (!mip_linear)
            show_places("gradient", slopes);
        int n = put(slopes);
        fetch_gradient<<<4, 128>>>(levels(false, true, mip_linear, 0, 0, 5, 1, true), places, results, n);
        take(name + ".gradient", n, 1);
    }
}

int main(int argc, char **argv) {
    raw = argc > 1 && !strcmp(argv[1], "raw");
    CHECK(cudaMalloc(&places, MOST * sizeof *places));
    CHECK(cudaMalloc(&results, MOST * sizeof *results));
    weights();
    ramps();
    sums();
    all_formats();
    values();
    srgb();
    memory();
    geometries();
    gathers();
    mipmaps();
    CHECK(cudaDeviceSynchronize());
    return 0;
}
