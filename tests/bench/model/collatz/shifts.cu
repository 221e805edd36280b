// As plain, but without signs, and an odd number takes two steps at once.
__global__ void count_steps(int *steps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned long long number = i + 1;
    int count = 0;
    while (number != 1) {
        unsigned odd = number & 1;
        number = odd ? number + (number >> 1) + 1 : number >> 1;
        count += 1 + odd;
    }
    steps[i] = count;
}
