/* What PPE and SPE side of proxy.c agree on. */
#ifndef PROXY_H
#define PROXY_H

#define PIECES 8
#define PIECE_BYTES 8192

#endif
