// As plain, but a thread takes sixteen numbers that follow each other.
__global__ void count_steps(int *steps, int n)
{
    int begin = 16 * (blockIdx.x * blockDim.x + threadIdx.x);
    for (int i = begin; i < begin + 16 && i < n; i++) {
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
}
