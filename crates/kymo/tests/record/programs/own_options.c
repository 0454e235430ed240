/* A program that defines its own options for AddressSanitizer. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
    return "exitcode=9";
}

int main(void) {
    return 3;
}
