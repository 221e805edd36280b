// As two_barriers, but a warp an option, eight prices a lane in registers: what it needs of the next lane
// comes by a shuffle, and no lane waits.
#define STEPS 255

__global__ void price(const float *shares, const float *strikes, float *puts, float rate,
                      float volatility)
{
    int option = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    float share = 30.0f + 10.0f * shares[option], strike = 30.0f + 20.0f * strikes[option];
    float step = 1.0f / STEPS, move = volatility * sqrtf(step), up = expf(move);
    float rise = (expf(rate * step) - 1.0f / up) / (up - 1.0f / up);
    float discount = expf(-rate * step);
    float now[8], worth[8];
#pragma unroll
    for (int j = 0; j < 8; j++) {
        now[j] = share * expf(move * (2 * (8 * lane + j) - STEPS));
        worth[j] = fmaxf(strike - now[j], 0.0f);
    }
    for (int level = STEPS; level > 0; level--) {
        float next = __shfl_down_sync(0xffffffffu, worth[0], 1);
#pragma unroll
        for (int j = 0; j < 8; j++) {
            now[j] *= up;
            float higher = j < 7 ? worth[(j + 1) % 8] : next;
            float held = discount * (rise * higher + (1.0f - rise) * worth[j]);
            worth[j] = fmaxf(held, strike - now[j]);
        }
    }
    if (lane == 0)
        puts[option] = worth[0];
}
