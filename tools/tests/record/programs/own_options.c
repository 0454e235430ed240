/* A program that has options of its own for AddressSanitizer. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
    return "exitcode=9";
}

int main(void) {
    return 3;
}
