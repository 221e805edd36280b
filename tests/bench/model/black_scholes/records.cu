// As plain, but an option's three numbers stand side by side, and so do its two prices.
// Of the standard normal distribution, by the polynomial of Abramowitz and Stegun (26.2.17).
__device__ float normal(float d)
{
    float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
    float sum = k * (0.31938153f +
                     k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    float tail = 0.39894228f * expf(-0.5f * d * d) * sum;
    return d > 0 ? 1.0f - tail : tail;
}

struct option {
    float share, strike, years;
};
struct prices {
    float call, put;
};

__global__ void price(const struct option *options, struct prices *prices, int n, float rate,
                      float volatility)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float share = 30.0f + 10.0f * options[i].share, strike = 30.0f + 20.0f * options[i].strike;
    float time = 1.125f + options[i].years;
    float spread = volatility * sqrtf(time);
    float d1 = (logf(share / strike) + (rate + 0.5f * volatility * volatility) * time) / spread;
    float d2 = d1 - spread;
    float discounted = strike * expf(-rate * time);
    prices[i].call = share * normal(d1) - discounted * normal(d2);
    prices[i].put = discounted * (1.0f - normal(d2)) - share * (1.0f - normal(d1));
}
