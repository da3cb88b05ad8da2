/* Tells the server at an address so many things that the next waits for an answer; prints what became of that one. With a third word it
 * tells one, waits until it may go on, which is when the server is gone, and tells another. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "whole.h"
#include "carnet_client.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    struct carnet_portal leaf = {NULL, 0};
    carnet_status status = argc >= 2 ? carnet_connect(argv[1], &whole_module, &whole_Leaf_interface, 10000, &leaf) : CARNET_BAD_ARGUMENT;
    unsigned told, most = argc == 2 ? CARNET_TOLD_MAX + 1 : 2;
    for (told = 0; status == CARNET_OK && told < most; told++) {
        if (argc > 2 && told > 0) {
            int32_t height = call_whole_Node__get_height(leaf);
            printf("%d\n", (int)height);
            fflush(stdout);
            (void)getchar();
        }
        status = call_whole_Node_tell(leaf, 1, carnet_text("text"));
    }
    printf("%u told, the last with %d: %s\n", told, (int)status, carnet_failure_text);
    if (leaf.channel != NULL) {
        carnet_disconnect(leaf);
    }
    return 0;
}
