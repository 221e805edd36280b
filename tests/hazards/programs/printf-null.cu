// sim --grid 1 --block 1 --arg i32*1=zero
// prints null (nil) [   (nil)] [(nil)   ] [0x10]
#include <cstdio>

__global__ void k(int *out) {
    void *null = out[0] ? (void *)out : nullptr;
    printf("null %p [%8p] [%-8p] [%p]\n", null, null, null, (void *)16);
}
