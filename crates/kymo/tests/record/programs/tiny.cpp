// Short functions, called frequently by a longer one: `tiny N`.
#include <cstdio>
#include <cstdlib>

struct Numbers {
    long values[16];
    __attribute__((noinline)) long &operator[](unsigned long place) { return values[place % 16]; }
    __attribute__((noinline)) unsigned long size() const { return 16; }
};

long work(Numbers &numbers, int count) {
    for (int number = 0; number < count; number++) numbers[number % numbers.size()] += number;
    return numbers[3];
}

int main(int, char **arguments) {
    Numbers numbers = {};
    std::printf("%ld\n", work(numbers, std::atoi(arguments[1])));
    return 0;
}
