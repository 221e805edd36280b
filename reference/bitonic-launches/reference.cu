// The rank of an element is the number of those before it: smaller ones, and equal ones to its left.
__global__ void reference(const int *input, int *output, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int value = input[i], rank = 0;
    for (int k = 0; k < n; k++)
        rank += input[k] < value || (input[k] == value && k < i);
    output[rank] = value;
}
