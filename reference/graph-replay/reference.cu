// What 2 * rounds steps make of one element depends on 2 * rounds elements on both sides. A way of left,
// right and stay steps bounces at the ends, so each thread walks through the whole triangle by itself:
// a window of its own, step by step in double precision.
__global__ void reference(const float *input, double *output, int n, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, reach = 2 * rounds;
    double window[33];
    if (i >= n)
        return;
    int low = i - reach < 0 ? 0 : i - reach, high = i + reach > n - 1 ? n - 1 : i + reach;
    for (int k = low; k <= high; k++)
        window[k - low] = input[k];
    for (int step = 0; step < reach; step++) {
        double before = window[0];
        for (int k = low; k <= high; k++) {
            double own = window[k - low], right = k < high ? window[k - low + 1] : own;
            window[k - low] = 0.25 * before + 0.5 * own + 0.25 * right;
            before = own;
        }
    }
    output[i] = window[i - low];
}
