/* The interface between the PPE side and the SPE side of stops.c. */
#ifndef STOPS_H
#define STOPS_H

#define FIRST 0x10203040
#define SECOND 0x05060708
#define CALL 0x55     /* stop code 0x2155 */
#define FUNCTION 0x21 /* highest byte of the call's word */

#endif
