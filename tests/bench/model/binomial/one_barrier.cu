// As two_barriers, but steps read one row of shared memory and write another.
#define STEPS 255

__global__ void price(const float *shares, const float *strikes, float *puts, float rate,
                      float volatility)
{
    __shared__ float rows[2][STEPS + 1];
    int i = threadIdx.x, from = 0;
    float share = 30.0f + 10.0f * shares[blockIdx.x], strike = 30.0f + 20.0f * strikes[blockIdx.x];
    float step = 1.0f / STEPS, move = volatility * sqrtf(step), up = expf(move);
    float rise = (expf(rate * step) - 1.0f / up) / (up - 1.0f / up);
    float discount = expf(-rate * step);
    float now = share * expf(move * (2 * i - STEPS));
    rows[0][i] = fmaxf(strike - now, 0.0f);
    __syncthreads();
    for (int level = STEPS; level > 0; level--) {
        if (i < level) {
            now *= up;
            float held = discount * (rise * rows[from][i + 1] + (1.0f - rise) * rows[from][i]);
            rows[1 - from][i] = fmaxf(held, strike - now);
        }
        from = 1 - from;
        __syncthreads();
    }
    if (i == 0)
        puts[blockIdx.x] = rows[from][0];
}
