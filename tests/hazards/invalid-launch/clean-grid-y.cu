// sim --grid 1,65535 --block 1 --arg i32*1=zero
__global__ void k(int *a) {
    atomicAdd(a, 1);
}
