// sim --grid 1 --block 32 --shared 49152 --arg i32*1=zero
__global__ void k(int *a) {
    atomicAdd(a, 1);
}
