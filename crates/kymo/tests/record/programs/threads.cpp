// Four threads that each call a function ten times, which throws every other time.
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

namespace work {
std::mutex mutex;
std::condition_variable changed;
int caught = 0;
int finished = 0;

int risky(int number) {
    if (number % 2) throw std::runtime_error("odd");
    return number;
}

void attempt(int number) {
    try {
        risky(number);
    } catch (const std::exception &) {
        std::lock_guard<std::mutex> lock(mutex);
        caught++;
    }
}

void run() {
    for (int i = 0; i < 10; i++) attempt(i);
    std::lock_guard<std::mutex> lock(mutex);
    finished++;
    changed.notify_one();
}
} // namespace work

int main() {
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; i++) threads.emplace_back(work::run);
    {
        std::unique_lock<std::mutex> lock(work::mutex);
        work::changed.wait(lock, [] { return work::finished == 4; });
    }
    for (auto &thread : threads) thread.join();
    std::printf("%d caught\n", work::caught);
    return 0;
}
