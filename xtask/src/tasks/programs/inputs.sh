# Makes the inputs of the programs of `list.txt`, in the current folder.
set -eu
seq 1 20000 | awk '{ print ($1 * 7919) % 20011, "line", $1 }' >lines
cat >hello.c <<'C'
#include <stdio.h>
int main(void) { printf("hello %d\n", 42); return 3; }
C
cat >words.cpp <<'C'
#include <iostream>
#include <map>
#include <string>
int main() {
    std::map<std::string, int> words;
    for (int at = 0; at < 20000; ++at) ++words["word " + std::to_string(at % 1000)];
    try { throw words.size(); } catch (std::size_t size) { std::cout << size << '\n'; }
}
C
cat >sum.f90 <<'F'
program sum_up
    integer :: at
    real(8) :: total = 0
    do at = 1, 1000
        total = total + sqrt(real(at, 8))
    end do
    print '(f12.4)', total
end program
F
cat >hello.rs <<'R'
fn main() { println!("{}", (1..1000u64).map(|it| it * it).sum::<u64>()); }
R
cat >hello.go <<'G'
package main

import "fmt"

func main() { fmt.Println("hello") }
G
cat >Sum.java <<'J'
public class Sum {
    public static void main(String[] arguments) {
        System.out.println(java.util.stream.LongStream.range(0, 1000000).parallel().sum());
    }
}
J
cat >work.py <<'P'
import concurrent.futures, hashlib, json, sqlite3, subprocess, sys
with concurrent.futures.ThreadPoolExecutor(4) as pool:
    print(sum(pool.map(lambda it: it * it, range(1000))))
print(hashlib.sha256(json.dumps(list(range(10000))).encode()).hexdigest())
base = sqlite3.connect(":memory:")
base.execute("create table t (n)")
base.executemany("insert into t values (?)", [(n,) for n in range(1000)])
print(base.execute("select sum(n) from t").fetchone())
print(subprocess.run(["sh", "-c", "echo child; exit 3"], capture_output=True))
print("a message", file=sys.stderr)
sys.exit(7)
P
cat >page.html <<'H'
<!doctype html><title>Page</title><p id="p">before</p>
<script>document.getElementById("p").textContent = [3, 1, 2].sort().join()</script>
H
printf 'digraph { a -> b; b -> c; a -> c }\n' >graph.dot
printf 'all: one two\n\tcat one two\none two:\n\techo $@ >$@\n' >Makefile
printf 'cmake_minimum_required(VERSION 3.10)\nproject(hello C)\nadd_executable(hello hello.c)\n' >CMakeLists.txt
printf '%%!PS\n/Times-Roman findfont 24 scalefont setfont 72 720 moveto (Hello) show showpage\n' >page.ps
printf '# Title\n\nSome *text*, a list:\n\n1. one\n2. two\n' >text.md
printf '.TH T 1\n.SH NAME\nt \\- a page\n' >page.1
printf '%%token A\n%%%%\ns: | s A;\n%%%%\n' >grammar.y
mkdir -p tree/sub
cp lines hello.c tree
cp work.py tree/sub
tar --sort=name --mtime=@1700000000 -czf tree.tgz tree
gzip -nk lines
