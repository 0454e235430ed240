// The symbols that the recorder looks for in Python, of a version that does not exist.
#include <time.h>

unsigned long Py_Version = 0x03630000;
long PyCode_Type, PyUnicode_Type;

void *PyGILState_GetThisThreadState(void) { return &PyCode_Type; }

int main(void) {
    volatile long sum = 0;
    while (clock() < CLOCKS_PER_SEC / 10) sum += 1;
    return 3;
}
