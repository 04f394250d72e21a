#include <libmisc.h>
#include <string.h>

__vector unsigned char load_vec_unaligned(const unsigned char *ptr)
{
    __vector unsigned char data;

    memcpy(&data, ptr, sizeof data);
    return data;
}

void store_vec_unaligned(unsigned char *ptr, __vector unsigned char data)
{
    memcpy(ptr, &data, sizeof data);
}
