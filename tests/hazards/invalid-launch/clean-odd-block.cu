// sim --grid 3 --block 33,3 --arg i32*1=zero
__global__ void k(int *a) {
    atomicAdd(a, 1);
}
