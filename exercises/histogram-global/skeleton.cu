// warpgrade: histogram-global
//
// bins[v] += how many of the n bytes are v, for every v from 0 to 255.
// Launched as histogram<<<max(1, (n + 255) / 256), 256>>>(data, bins, n): one thread a byte, in
// whole blocks of 256 threads. The bins hold earlier counts, to which these are added.
//
// Grade it with `warpgrade grade histogram-global.cu`.

__global__ void histogram(const unsigned char *data, unsigned *bins, int n)
{
    // Step 1: which byte is this thread's?

    // Step 2: leave where there is no such byte.

    // Step 3: add 1 to its bin, in one step that no other thread can interrupt.
}
