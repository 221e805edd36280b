// As shifts, but all halvings that follow each other are one shift.
__global__ void count_steps(int *steps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned long long number = i + 1;
    int halvings = __ffsll(number) - 1, count = halvings;
    number >>= halvings;
    while (number != 1) {
        number = 3 * number + 1;
        halvings = __ffsll(number) - 1;
        number >>= halvings;
        count += 1 + halvings;
    }
    steps[i] = count;
}
