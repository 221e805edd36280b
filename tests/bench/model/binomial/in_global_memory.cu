// As two_barriers, but what the prices are worth stands in global memory.
#define STEPS 255

__global__ void price(const float *shares, const float *strikes, float *trees, float *puts,
                      float rate, float volatility)
{
    float *worth = trees + blockIdx.x * (STEPS + 1);
    int i = threadIdx.x;
    float share = 30.0f + 10.0f * shares[blockIdx.x], strike = 30.0f + 20.0f * strikes[blockIdx.x];
    float step = 1.0f / STEPS, move = volatility * sqrtf(step), up = expf(move);
    float rise = (expf(rate * step) - 1.0f / up) / (up - 1.0f / up);
    float discount = expf(-rate * step);
    float now = share * expf(move * (2 * i - STEPS));
    worth[i] = fmaxf(strike - now, 0.0f);
    __syncthreads();
    for (int level = STEPS; level > 0; level--) {
        float held = 0.0f;
        if (i < level) {
            now *= up;
            held = discount * (rise * worth[i + 1] + (1.0f - rise) * worth[i]);
        }
        __syncthreads();
        if (i < level)
            worth[i] = fmaxf(held, strike - now);
        __syncthreads();
    }
    if (i == 0)
        puts[blockIdx.x] = worth[0];
}
