// sim --grid 1 --block 4,4,64 --arg i32*1=zero
__global__ void k(int *a) {
    atomicAdd(a, 1);
}
