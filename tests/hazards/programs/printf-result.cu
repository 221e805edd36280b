// sim --grid 1 --block 1
// prints 50% of 7 b
// prints none
// prints took 2 and 0
#include <stdio.h>
__global__ void k() {
    int two = printf("50%% of %d %s\n", 7, "b");
    int none = printf("none\n");
    printf("took %d and %d\n", two, none);
}
