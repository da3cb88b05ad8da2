/* An object that two source files of a server hand out is one, whichever of them did. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#define CARNET_SERVER
#include "two_files.h"

#include "check.h"

int released;

static struct {
    struct carnet_session session;
    CARNET_ALIGNED unsigned char message[8192];
} own;

int main(void)
{
    static int root_object;
    struct carnet_portal root, note;
    struct two_files_Place place;
    int turn;
    CHECK(carnet_session_here(&own.session, sizeof own.message, &root_object, two_files_Root_service(), &root));
    for (turn = 0; turn < 4; turn++) {
        /* In either order. */
        CHECK(turn % 2 != 0 || call_two_files_Root_note(root, &note) == CARNET_OK);
        CHECK(call_two_files_Root_place(root, &place) == CARNET_OK);
        CHECK(turn % 2 == 0 || call_two_files_Root_note(root, &note) == CARNET_OK);
        CHECK(note.id == place.note.portal.id);
        carnet_release(turn < 2 ? note : place.note.portal);
        CHECK(released == turn);
        CHECK(call_two_files_Note_number(turn < 2 ? place.note.portal : note) == 7);
        carnet_release(turn < 2 ? place.note.portal : note);
        CHECK(released == turn + 1);
    }
    return 0;
}
