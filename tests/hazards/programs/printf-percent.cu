// sim --grid 1 --block 2
// prints 0% of 100% %y, and %
// prints 1% of 100% %y, and %
// What is no conversion is printed as it stands.
#include <stdio.h>
__global__ void k() {
    printf("%d%% of %s %y, and %\n", threadIdx.x, "100%");
}
