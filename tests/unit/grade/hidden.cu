// Kernels with one bug each, some of which the optimiser removes: see grader/grade/grade_debug.c. Launched
// as kernel(x[200], y[256], 200) with 4 blocks of 64 threads.
#define BLOCK 64
#define INDEX int i = blockIdx.x * blockDim.x + threadIdx.x

// ---- races that the result depends on ----

__global__ void no_barrier_in_loop(const float *x, float *y, int n)
{
    __shared__ float s[BLOCK];
    INDEX;
    int t = threadIdx.x;
    s[t] = i < n ? x[i] : 0;
    __syncthreads();
    for (int half = BLOCK / 2; half; half /= 2)
        if (t < half)
            s[t] += s[t + half];
    if (t == 0)
        y[blockIdx.x] = s[0];
}

__global__ void no_warp_barrier(const float *x, float *y, int n)
{
    __shared__ float s[BLOCK];
    INDEX;
    int t = threadIdx.x;
    s[t] = i < n ? x[i] : 0;
    __syncthreads();
    if (t < 32) {
        s[t] += s[t + 32];
        s[t] += s[t + 16];
        s[t] += s[t + 8];
    }
    if (t == 0)
        y[blockIdx.x] = s[0];
}

__global__ void no_barrier_after_load(const float *x, float *y, int n)
{
    __shared__ float s[BLOCK];
    INDEX;
    s[threadIdx.x] = i < n ? x[i] : 0;
    if (i < n)
        y[i] = s[(threadIdx.x + 1) % BLOCK];
}

__global__ void stencil_in_place(const float *x, float *y, int n)
{
    INDEX;
    y[i] = x[i % n];
    if (i > 0 && i + 1 < n)
        y[i] = y[i - 1] + y[i + 1];
}

__global__ void lost_update(const float *x, float *y, int n)
{
    INDEX;
    if (i < n)
        y[0] += x[i];
}

__global__ void cleared_by_others(const float *x, float *y, int n)
{
    __shared__ float s[BLOCK];
    INDEX;
    s[threadIdx.x / 2] = 0;
    s[threadIdx.x] = i < n ? x[i] : 0;
    __syncthreads();
    if (i < n)
        y[i] = s[threadIdx.x];
}

// ---- races on a scratch variable or a dead value ----

__global__ void shared_index(const float *x, float *y, int n)
{
    __shared__ int index;
    index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index < n)
        y[index] = 2 * x[index];
}

__global__ void shared_temporary(const float *x, float *y, int n)
{
    __shared__ float square;
    INDEX;
    if (i < n) {
        square = x[i] * x[i];
        y[i] = square + 1;
    }
}

__global__ void shared_accumulator(const float *x, float *y, int n)
{
    __shared__ float sum;
    INDEX;
    if (i < n) {
        sum = 0;
        for (int k = 0; k < 8; k++)
            sum += x[(i + k) % n];
        y[i] = sum;
    }
}

__global__ void shared_counter(const float *x, float *y, int n)
{
    __shared__ int k;
    INDEX;
    float sum = 0;
    if (i < n) {
        for (k = 0; k < 16; k++)
            sum += x[(i + k) % n];
        y[i] = sum;
    }
}

__global__ void shared_swap(const float *x, float *y, int n)
{
    __shared__ float kept;
    INDEX;
    if (2 * i + 1 < n) {
        float a = x[2 * i], b = x[2 * i + 1];
        kept = a;
        a = b;
        b = kept;
        y[2 * i] = a;
        y[2 * i + 1] = b;
    }
}

__global__ void global_scratch(const float *x, float *__restrict__ y, int n)
{
    INDEX;
    if (i < n) {
        y[0] = x[i];
        y[0] = 0;
        y[i + 1] = 1;
    }
}

__global__ void never_read(const float *x, float *y, int n)
{
    __shared__ float last[2];
    INDEX;
    if (i < n) {
        last[threadIdx.x & 1] = x[i];
        y[i] = x[i];
    }
}

__global__ void value_not_used(const float *x, float *y, int n)
{
    __shared__ float s[BLOCK];
    INDEX;
    s[threadIdx.x] = i < n ? x[i] : 0;
    float other = s[(threadIdx.x + 1) % BLOCK];
    if (i < n)
        y[i] = s[threadIdx.x] + 0 * (int)(other > 1 ? 0 : 0);
}

// ---- accesses past the end ----

__global__ void loaded_before_the_check(const float *x, float *y, int n)
{
    INDEX;
    float value = x[i];
    if (i < n)
        y[i] = value;
}

__global__ void loaded_for_nothing(const float *x, float *y, int n)
{
    INDEX;
    float value = x[i + n];
    if (i < n)
        y[i] = x[i] + (value > value);
}

// ---- right, also where unoptimised code copies what is not set ----

struct padded { char c; int x; short s; };
struct nested { padded p; double d; char e; };
struct bits { unsigned a : 3, b : 5, c : 9; };
struct perhaps {
    bool has;
    float value;
    __device__ perhaps() : has(false) {}
    __device__ perhaps(float v) : has(true), value(v) {}
};
union word { float f; unsigned u; unsigned char b[4]; };

__device__ __noinline__ padded make(int i)
{
    padded p;
    p.c = (char)i;
    p.x = i * 3;
    p.s = (short)(i + 1);
    return p;
}

__device__ nested wrap(padded p)
{
    nested q;
    q.p = p;
    q.d = p.x;
    q.e = 1;
    return q;
}

__device__ perhaps positive(float v)
{
    if (v > 0)
        return perhaps(v);
    return perhaps();
}

__global__ void right_structs(const float *x, float *y, int n)
{
    INDEX;
    padded p = make(i);
    nested q = wrap(p), r = q;
    if (i < n)
        y[i] = x[i] + r.p.x + r.p.c + r.p.s + (float)r.d;
}

__global__ void right_optional(const float *x, float *y, int n)
{
    INDEX;
    perhaps p = positive(x[i % n]), q = p;
    y[i] = q.has ? q.value : 0;
}

__global__ void right_bits(const float *x, float *y, int n)
{
    INDEX;
    bits b;
    b.a = i;
    b.b = i + 1;
    b.c = 7;
    bits c = b;
    y[i] = c.a + c.b + c.c + x[i % n];
}

__global__ void right_union(const float *x, float *y, int n)
{
    INDEX;
    word w;
    w.f = x[i % n];
    w.u ^= 1;
    word v = w;
    v.b[0] = 0;
    y[i] = v.f;
}

__global__ void right_vectors(const float *x, float *y, int n)
{
    INDEX;
    float3 v = make_float3(x[i % n], 1, 2), w = v;
    int2 pair;
    pair.x = 1;
    int2 copy = pair;
    y[i] = w.x + w.z + copy.x;
}

__global__ void right_local_array(const float *x, float *y, int n)
{
    INDEX;
    float a[8], sum = 0;
    for (int k = 0; k < 4; k++)
        a[k] = x[(i + k) % n];
    for (int k = 0; k < 4; k++)
        sum += a[k];
    y[i] = sum;
}

__global__ void right_lambda(const float *x, float *y, int n)
{
    INDEX;
    auto scale = [=](float v) { return v * x[i % n]; };
    auto add = [&](int k) { y[i] += k; };
    y[i] = scale(2);
    add(3);
}

__global__ void right_switch(const float *x, float *y, int n)
{
    INDEX;
    float r;
    switch (i % 3) {
    case 0:
        r = 1;
        break;
    case 1:
        r = x[i % n];
        break;
    default:
        r = 3;
    }
    y[i] = r > 1 && i < n ? r : -r;
}

__global__ void right_shuffles(const float *x, float *y, int n)
{
    __shared__ float sums[BLOCK / 32];
    INDEX;
    float v = i < n ? x[i] : 0;
    for (int k = 16; k; k /= 2)
        v += __shfl_xor_sync(0xffffffffu, v, k);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x == 0)
        y[blockIdx.x] = sums[0] + sums[1];
}

__global__ void right_reduction(const float *x, float *y, int n)
{
    __shared__ float s[BLOCK];
    INDEX;
    int t = threadIdx.x;
    s[t] = i < n ? x[i] : 0;
    __syncthreads();
    for (int half = BLOCK / 2; half; half /= 2) {
        if (t < half)
            s[t] += s[t + half];
        __syncthreads();
    }
    if (t == 0)
        atomicAdd(y, s[0]);
}

__global__ void right_double_buffer(const float *x, float *y, int n)
{
    __shared__ float s[2][BLOCK];
    INDEX;
    int t = threadIdx.x, now = 0;
    s[0][t] = x[i % n];
    __syncthreads();
    for (int k = 1; k < BLOCK; k *= 2) {
        s[1 - now][t] = t >= k ? s[now][t] + s[now][t - k] : s[now][t];
        now = 1 - now;
        __syncthreads();
    }
    y[i] = s[now][t];
}

__device__ unsigned done;

__global__ void right_last_block(const float *x, float *y, int n)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        y[blockIdx.x] = x[blockIdx.x];
        __threadfence();
        last = atomicInc(&done, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0)
        for (int b = 0; b < gridDim.x; b++)
            y[n] += ((volatile float *)y)[b];
}

__global__ void right_lock(const float *x, float *y, int n)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(&done, 0u, 1u) != 0) {
        }
        __threadfence();
        y[0] = y[0] + x[blockIdx.x % n];
        __threadfence();
        atomicExch(&done, 0u);
    }
}

__global__ void right_histogram(const float *x, float *y, int n)
{
    __shared__ unsigned bins[8];
    INDEX;
    if (threadIdx.x < 8)
        bins[threadIdx.x] = 0;
    __syncthreads();
    if (i < n)
        atomicAdd(&bins[(int)(x[i] * 4 + 4) & 7], 1u);
    __syncthreads();
    if (threadIdx.x < 8)
        atomicAdd(&y[threadIdx.x], (float)bins[threadIdx.x]);
}

__global__ void right_tile(const float *x, float *y, int n)
{
    __shared__ float tile[8][9];
    int column = threadIdx.x % 8, row = threadIdx.x / 8;
    tile[row][column] = x[(blockIdx.x * BLOCK + threadIdx.x) % n];
    __syncthreads();
    y[blockIdx.x * BLOCK + threadIdx.x] = tile[column][row];
}

__global__ void right_stride(const float *x, float *y, int n)
{
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < n; k += gridDim.x * blockDim.x)
        y[k] = 2 * x[k];
}
