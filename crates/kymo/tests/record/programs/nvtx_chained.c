/* Prints the values that a tool of NVTX returns. */
#include "nvtx3/nvtx_header.h"
#include <stdio.h>

int main(void)
{
    initialise();
    void* first  = domain_create("first");
    void* second = domain_create("second");
    struct attributes it = { .version = 3, .size = ATTRIBUTES_SIZE, .message_type = ASCII };
    it.message.ascii = "in a domain";
    for (int i = 0; i < 5; i++) {
        int outer = push("outer"), in_second = domain_push(second, &it), in_first = domain_push(first, &it);
        printf("%d %d %d\n", outer, in_second, in_first);
        int of_first = domain_pop(first), of_second = domain_pop(second);
        printf("%d %d %d\n", of_first, of_second, pop());
    }
    mark("only here");
    return 0;
}
