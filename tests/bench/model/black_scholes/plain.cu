// The prices of n call and n put options by Black and Scholes, a thread an option. The inputs are
// between -1 and 1: shares cost 20 to 40, strikes are 10 to 50, and the options run for up to two years.
// Of the standard normal distribution, by the polynomial of Abramowitz and Stegun (26.2.17).
__device__ float normal(float d)
{
    float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
    float sum = k * (0.31938153f +
                     k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    float tail = 0.39894228f * expf(-0.5f * d * d) * sum;
    return d > 0 ? 1.0f - tail : tail;
}

__global__ void price(const float *shares, const float *strikes, const float *years, float *calls,
                      float *puts, int n, float rate, float volatility)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float share = 30.0f + 10.0f * shares[i], strike = 30.0f + 20.0f * strikes[i];
    float time = 1.125f + years[i];
    float spread = volatility * sqrtf(time);
    float d1 = (logf(share / strike) + (rate + 0.5f * volatility * volatility) * time) / spread;
    float d2 = d1 - spread;
    float discounted = strike * expf(-rate * time);
    calls[i] = share * normal(d1) - discounted * normal(d2);
    puts[i] = discounted * (1.0f - normal(d2)) - share * (1.0f - normal(d1));
}
