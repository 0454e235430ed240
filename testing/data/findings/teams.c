// Splits a text into pages in one thread, then counts the words of the pages in all threads.

// Computes for about this many milliseconds.
__attribute__((noinline)) static void work(double milliseconds) {
    for (volatile long rest = (long)(milliseconds * 2500000); rest > 0; rest--) {
    }
}

__attribute__((noinline)) static void split_into_pages(void) {
    work(6);
}

__attribute__((noinline)) static void count_words(void) {
    work(1);
}

int main(void) {
    for (int chapter = 0; chapter < 20; chapter++) {
        split_into_pages();
#pragma omp parallel for
        for (int page = 0; page < 8; page++)
            count_words();
    }
}
