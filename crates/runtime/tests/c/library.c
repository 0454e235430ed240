int in_library(int number) {
    return 10 * number;
}
