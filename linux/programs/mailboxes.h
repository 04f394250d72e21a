/* The interface between the PPE side and the SPE side of mailboxes.c. */
#ifndef MAILBOXES_H
#define MAILBOXES_H

#define EARLY 4
#define MANY 40u
#define EXIT 17
#define TOKEN 0xcafe

#endif
