// As plain, but with the fast functions of the hardware, and a grid of any size: a thread takes an
// option, then the one a grid further, and so on.
__device__ float normal(float d)
{
    float k = __fdividef(1.0f, 1.0f + 0.2316419f * fabsf(d));
    float sum = k * (0.31938153f +
                     k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    float tail = 0.39894228f * __expf(-0.5f * d * d) * sum;
    return d > 0 ? 1.0f - tail : tail;
}

__global__ void price(const float *shares, const float *strikes, const float *years, float *calls,
                      float *puts, int n, float rate, float volatility)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float share = 30.0f + 10.0f * shares[i], strike = 30.0f + 20.0f * strikes[i];
        float time = 1.125f + years[i];
        float over_root = rsqrtf(time), spread = volatility * time * over_root;
        float d1 = __fdividef(__logf(__fdividef(share, strike)) +
                                  (rate + 0.5f * volatility * volatility) * time,
                              spread);
        float call_share = normal(d1), call_strike = normal(d1 - spread);
        float discounted = strike * __expf(-rate * time);
        float call = share * call_share - discounted * call_strike;
        calls[i] = call;
        puts[i] = call - share + discounted;
    }
}
