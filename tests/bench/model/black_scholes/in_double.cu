// As plain, but constants without an f and functions without one: everything is computed in double.
__device__ double normal(double d)
{
    double k = 1.0 / (1.0 + 0.2316419 * fabs(d));
    double sum =
        k * (0.31938153 +
             k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
    double tail = 0.39894228 * exp(-0.5 * d * d) * sum;
    return d > 0 ? 1.0 - tail : tail;
}

__global__ void price(const float *shares, const float *strikes, const float *years, float *calls,
                      float *puts, int n, float rate, float volatility)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double share = 30.0 + 10.0 * shares[i], strike = 30.0 + 20.0 * strikes[i];
    double time = 1.125 + years[i];
    double spread = volatility * sqrt(time);
    double d1 = (log(share / strike) + (rate + 0.5 * volatility * volatility) * time) / spread;
    double d2 = d1 - spread;
    double discounted = strike * exp(-rate * time);
    calls[i] = share * normal(d1) - discounted * normal(d2);
    puts[i] = discounted * (1.0 - normal(d2)) - share * (1.0 - normal(d1));
}
