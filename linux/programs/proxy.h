/* The interface between the PPE side and the SPE side of proxy.c. */
#ifndef PROXY_H
#define PROXY_H

#define PIECES 8
#define PIECE_BYTES 8192

#endif
