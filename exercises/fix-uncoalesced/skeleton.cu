// warpgrade: fix-uncoalesced
//
// celsius[i] = (fahrenheit[i] - 32) * 5 / 9 for every i from 0 to n - 1.
// Launched as convert<<<max(1, (n + 2047) / 2048), 256>>>(fahrenheit, celsius, n): each thread
// converts up to eight elements.
//
// This kernel is right, and takes four times as long as it need. Find out why with
// `warpgrade grade fix-uncoalesced.cu`, and mend it.

#define ELEMENTS 8

__global__ void convert(const float *fahrenheit, float *celsius, int n)
{
    // Each thread takes a slice of its own, as it would on a CPU.
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * ELEMENTS;
    for (int k = 0; k < ELEMENTS; k++) {
        int i = first + k;
        if (i < n)
            celsius[i] = (fahrenheit[i] - 32.0f) * (5.0f / 9.0f);
    }
}
