/* A client of the notice board in the board's own process. No message is made of its short calls: their values travel in
 * registers from the client's stub to the server's.
 *
 *     here TEXT...
 */
#define CARNET_SERVER
#include "board.h"

#include <stdio.h>

void *carnet_root(void);

/* The session, and behind it the buffer for calls that are no short ones. */
static struct {
    struct carnet_session session;
    uint64_t message[4 * CARNET_WORDS_BYTES / 8];
} here;

static int failed(const char *what)
{
    fprintf(stderr, "%s: %s: %s\n", what, carnet_status_text(carnet_failure), carnet_failure_text);
    return 1;
}

int main(int argc, char **argv)
{
    struct carnet_portal board, note;
    int32_t was_bytes;
    bool was_empty;
    int index;
    if (!carnet_session_here(&here.session, sizeof here.message, carnet_root(), board_Board_service(), &board)) {
        fprintf(stderr, "the buffer is too small for a board\n");
        return 1;
    }
    for (index = 1; index < argc; index++) {
        if (call_board_Board_put(board, carnet_text(argv[index]), &note) != CARNET_OK) {
            return failed("put");
        }
    }
    printf("%d notes\n", call_board_Board_notes(board));
    if (argc > 1) {
        if (call_board_Note_replace(note, carnet_text("done"), &was_bytes, &was_empty) != CARNET_OK) {
            return failed("replace");
        }
        printf("the last one had %d bytes\n", was_bytes);
    }
    carnet_session_end(&here.session);
    return 0;
}
