// sim --grid 1 --block 32 --arg i32*4=zero
// expect deadlock error
__global__ void k(volatile int *flag) {
    while (flag[0] == 0 && flag[1] == 0 && flag[2] == 0)
        ;
    flag[3] = 1;
}
