/* Tells the kernel that its clock is right, as a time server's client does. */
#include <sys/timex.h>

int main(void) {
  struct timex state = {.modes = ADJ_STATUS | ADJ_MAXERROR | ADJ_ESTERROR, .status = STA_PLL};
  return adjtimex(&state) < 0;
}
