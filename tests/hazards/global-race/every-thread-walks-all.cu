// sim --grid 2 --block 32 --arg 'f32*40=uniform:const' --arg 'f32*40=iota' --arg i32=40
// advises one writer
// advises never atomicAdd
// Each thread does the work of all: an atomic would add each x[i] 64 times.
__global__ void k(const float *x, float *y, int n)
{
    for (int i = 0; i < n; i++)
        y[i] = 2.0f * x[i] + y[i]; // HAZARD global-race error
}
