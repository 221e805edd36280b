// Worst cases for shadow memory: every half word is read and written on its own.
__global__ void halves_in_place(unsigned short *data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i] = (unsigned short)(data[i] + 1);
}
