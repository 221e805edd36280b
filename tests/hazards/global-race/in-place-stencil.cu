// sim --grid 2 --block 64 --arg f32*256=iota
// says arg0[
__global__ void k(float *a) {
    for (int i = blockIdx.x * 64 + threadIdx.x; i < 256; i += 128)
        if (i > 0 && i < 255)
            a[i] = (a[i - 1] + a[i + 1]) / 2; // HAZARD global-race error
}
