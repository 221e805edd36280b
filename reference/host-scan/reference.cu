// One thread, one element after the other.
__global__ void reference(const int *input, int *output, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        sum += input[i];
        output[i] = sum;
    }
}
