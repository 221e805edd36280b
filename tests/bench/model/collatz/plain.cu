// How many steps it takes from each number to one, by halving it where it is even and by three times it
// and one where it is odd: a thread a number.
__global__ void count_steps(int *steps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    long long number = i + 1;
    int count = 0;
    while (number != 1) {
        if (number % 2 == 0)
            number = number / 2;
        else
            number = 3 * number + 1;
        count++;
    }
    steps[i] = count;
}
