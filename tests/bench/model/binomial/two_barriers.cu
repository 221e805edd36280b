// The price of an American put option by a tree of 255 steps, a block of 256 an option: its worth at each
// of the last prices, then back to now step by step, each thread a price. Shares cost 20 to 40, strikes
// are 10 to 50: the inputs are between -1 and 1.
#define STEPS 255

__global__ void price(const float *shares, const float *strikes, float *puts, float rate,
                      float volatility)
{
    __shared__ float worth[STEPS + 1];
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
