// Functions whose types contain expressions.
#include <cstdio>
#include <utility>

namespace traits {
template <class T> struct one {
    enum { value = 1 };
};
} // namespace traits

template <class T> auto add(T number) -> decltype(number + traits::one<T>::value) { return number + 1; }

int main() {
    int first = 1, second = 2;
    std::swap(first, second);
    std::printf("%d\n", add(first));
    return 0;
}
