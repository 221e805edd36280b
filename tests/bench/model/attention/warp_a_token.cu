// A block of eight warps a head, which copies keys and values to shared memory. A warp a token: a lane
// makes two scores, all lanes find the largest and the sum by shuffles, then a lane makes one number of
// the result. Keys of neighbouring lanes lie in the same bank.
#define PITCH 32

__global__ void attend(const float *queries, const float *keys, const float *values, float *out)
{
    __shared__ float key[64 * PITCH], value[64 * 32], query[8][32], weights[8][64];
    size_t head = (size_t)blockIdx.x * 64 * 32;
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (int i = threadIdx.x; i < 64 * 32; i += 256) {
        key[i / 32 * PITCH + i % 32] = keys[head + i];
        value[i] = values[head + i];
    }
    __syncthreads();
    for (int token = warp; token < 64; token += 8) {
        query[warp][lane] = queries[head + token * 32 + lane] * 0.17677670f;
        __syncwarp();
        float first = 0.0f, second = 0.0f;
        for (int d = 0; d < 32; d++) {
            first += query[warp][d] * key[lane * PITCH + d];
            second += query[warp][d] * key[(lane + 32) * PITCH + d];
        }
        float largest = fmaxf(first, second);
        for (int step = 16; step > 0; step /= 2)
            largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, step));
        first = expf(first - largest);
        second = expf(second - largest);
        float total = first + second, sum = 0.0f;
        for (int step = 16; step > 0; step /= 2)
            total += __shfl_xor_sync(0xffffffffu, total, step);
        weights[warp][lane] = first;
        weights[warp][lane + 32] = second;
        __syncwarp();
        for (int other = 0; other < 64; other++)
            sum += weights[warp][other] * value[other * 32 + lane];
        out[head + token * 32 + lane] = sum / total;
        __syncwarp();
    }
}
