// sim --grid 1 --block 32 --arg f32*32=iota
// advises Where there is none, the compiler has put the trap in place of what no program may do
__global__ void k(float *x) {
    float *p = 0;
    *p = x[threadIdx.x]; // HAZARD trap error
    x[threadIdx.x] = *p;
}
