/* Where somebody listens, nobody else does, also if they are too busy to be asked; where nobody does any more, the file is
 * replaced. Prints what is wrong and fails. */
#include "boards.h"

int main(int argc, char **argv)
{
    struct sockaddr_un address;
    int busy, client, count;
    CHECK(argc == 2);
    memset(&address, 0, sizeof address);
    address.sun_family = AF_UNIX;
    strcpy(address.sun_path, argv[1]);
    (void)unlink(argv[1]);
    busy = socket(AF_UNIX, SOCK_STREAM, 0);
    CHECK(bind(busy, (const struct sockaddr *)(const void *)&address, sizeof address) == 0 && listen(busy, 0) == 0);
    for (count = 0; count < 100; count++) {
        client = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
        if (connect(client, (const struct sockaddr *)(const void *)&address, sizeof address) != 0) {
            break;
        }
    }
    CHECK(count < 100 && errno == EAGAIN);
    /* It ends here if it waits. */
    alarm(30);
    CHECK(carnet_listen(&server, argv[1], carnet_root(), board_Board_service()) == CARNET_UNREACHABLE);
    close(busy);
    CHECK(carnet_listen(&server, argv[1], carnet_root(), board_Board_service()) == CARNET_OK);
    end(argv[1]);
    return 0;
}
