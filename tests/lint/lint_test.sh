#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The checks of the sources, on the sources (must pass) and on mutants of them (must be refused, for the right reason):
# lint_test.sh CHECK, with CHECK one of spdx, columns, style, sizes, links, layers, lists, words, readers, mutants,
# generate-names, rtl; or lint_test.sh circles BUILD CC, of the objects in a build folder, mutants compiled with CC.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT

# refused REASON COMMAND...: the command fails and says REASON.
refused() {
    local reason=$1
    shift
    if "$@" > "$temp/said" 2>&1; then
        echo "accepted, should be refused for '$reason': $*" >&2
        exit 1
    fi
    if ! grep -qF -- "$reason" "$temp/said"; then
        echo "refused, but not for '$reason': $*" >&2
        cat "$temp/said" >&2
        exit 1
    fi
}

# mutant: a fresh copy of the sources in $temp/tree.
mutant() {
    rm -rf "$temp/tree"
    mkdir "$temp/tree"
    local folder
    for folder in .ci .clang-format CMakeLists.txt LICENSE Makefile README.md CONTRIBUTING.md CHANGELOG.md CITATION.cff bench cli \
        cmake cmodel constraints core docs examples extras formal gen include rtl scripts tb tests; do
        [ ! -e "$root/$folder" ] || cp -r "$root/$folder" "$temp/tree/"
    done
}

# changeable: the copy as it is; restore FILE: as in the sources again, or gone.
changeable() {
    [ -d "$temp/tree" ] || mutant
}
restore() {
    rm -f "$temp/tree/$1"
    [ ! -e "$root/$1" ] || cp "$root/$1" "$temp/tree/$1"
}

# layer_mutant FILE INCLUDE REASON: FILE in $temp/tree gets one more #include, which will be refused.
layer_mutant() {
    changeable
    printf '#include %s\n' "$2" >> "$temp/tree/$1"
    expected "$1" "$3"
}

# table_mutant SED REASON: the table of the law, changed, must be refused.
table_mutant() {
    changeable
    sed -i "$1" "$temp/tree/cmake/layers.cmake"
    refused "$2" python3 "$root/scripts/check-layers.py" "$temp/tree"
    restore cmake/layers.cmake
}

# style_mutant FILE LINE REASON: FILE with one more line must be refused.
style_mutant() {
    changeable
    printf '%s\n' "$2" >> "$temp/tree/$1"
    refused "$3" "$root/scripts/check-style.sh" "$temp/tree" "$1"
    restore "$1"
}

# opening_mutant FILE SED: FILE, changed so, does not open with a comment.
opening_mutant() {
    changeable
    sed -i "$2" "$temp/tree/$1"
    refused "$1: does not open, behind the licence, with a comment" "$root/scripts/check-style.sh" "$temp/tree" "$1"
    restore "$1"
}

# repeated LINE TIMES
repeated() {
    local i
    for ((i = 0; i < $2; i++)); do printf '%s\n' "$1"; done
}

# sizes_mutant FILE LINES OPENING BODY CLOSING REASON: a new FILE that is OPENING, BODY as often as makes LINES lines,
# and CLOSING. One of LINES - 1 is accepted, this must be refused.
sizes_mutant() {
    local file=$temp/tree/$1 lines=$2 opening=$3 body=$4 closing=$5 reason=$6 count
    mkdir -p "$(dirname "$file")"
    count=$((lines - $(printf '%b%b' "$opening" "$closing" | wc -l)))
    { printf '%b' "$opening"; repeated "$body" $((count - 1)); printf '%b' "$closing"; } > "$file"
    python3 "$root/scripts/check-sizes.py" "$temp/tree"
    { printf '%b' "$opening"; repeated "$body" $count; printf '%b' "$closing"; } > "$file"
    refused "$reason" python3 "$root/scripts/check-sizes.py" "$temp/tree"
    rm "$file"
}

# circle_mutant REASON A B: files a.c and b.c with these texts, compiled, must be refused; without REASON accepted.
circle_mutant() {
    local folder=$temp/build/CMakeFiles/gfab_mutant.dir
    rm -rf "$temp/build"
    mkdir -p "$folder"
    printf '%s\n' "$2" > "$temp/build/a.c"
    printf '%s\n' "$3" > "$temp/build/b.c"
    "$cc" -c "$temp/build/a.c" -o "$folder/a.c.o"
    "$cc" -c "$temp/build/b.c" -o "$folder/b.c.o"
    if [ -n "$1" ]; then
        refused "$1" python3 "$root/scripts/check-circles.py" "$temp/build"
    else
        python3 "$root/scripts/check-circles.py" "$temp/build"
    fi
}

# link_mutant FILE TEXT REASON...: FILE in $temp/tree gets one more line, TEXT, which will be refused for each reason.
link_mutant() {
    printf '\n%s\n' "$2" >> "$temp/tree/$1"
    expected "$1" "${@:3}"
}

# expected FILE REASON...: FILE is changed so that it is to be refused; all_refused COMMAND...: all that is expected is said,
# in one run; then the files are as in the sources again.
expected() {
    echo "$1" >> "$temp/changed"
    printf '%s\n' "${@:2}" >> "$temp/reasons"
}
all_refused() {
    local line
    ! "$@" > "$temp/said" 2>&1 || { echo "accepted, should be refused: $*" >&2; exit 1; }
    while IFS= read -r line; do
        grep -qF -- "$line" "$temp/said" || { cat "$temp/said"; echo "not refused for '$line'" >&2; exit 1; }
    done < "$temp/reasons"
    while IFS= read -r line; do restore "$line"; done < "$temp/changed"
    rm "$temp/reasons" "$temp/changed"
}

case $1 in
    spdx)
        "$root/scripts/check-spdx.sh" "$root"
        mutant
        sed -i 's/SPDX/XDPS/' "$temp/tree/cli/CMakeLists.txt"
        refused 'cli/CMakeLists.txt: no SPDX' "$root/scripts/check-spdx.sh" "$temp/tree"
        restore cli/CMakeLists.txt
        chmod -x "$temp/tree/tests/lint/lint_test.sh"
        refused 'tests/lint/lint_test.sh: begins with #!' "$root/scripts/check-spdx.sh" "$temp/tree"
        ;;
    columns)
        "$root/scripts/check-columns.sh" "$root"
        mutant
        printf '// %0117d\n// %0118d\n' 0 0 > "$temp/tree/rtl/mutant.v"
        refused 'rtl/mutant.v:2: 121 columns' "$root/scripts/check-columns.sh" "$temp/tree"
        if grep -q 'mutant.v:1:' "$temp/said"; then
            echo "columns: 120 are refused" >&2
            exit 1
        fi
        # Markdown likewise: 120 characters, however many bytes they have, are no fault.
        restore rtl/mutant.v
        { printf '\303\251%0118d\n' 0; printf '\n| %0118d |\n| `verify -t %0118d` |\n' 0 0; } >> "$temp/tree/README.md"
        refused '/README.md:' "$root/scripts/check-columns.sh" "$temp/tree"
        grep -q ': 122 columns' "$temp/said" && [ "$(wc -l < "$temp/said")" = 1 ] || { cat "$temp/said" >&2; exit 1; }
        restore README.md
        # A row that begins with a name is a line like another.
        printf '\n| `%0116d` |\n' 0 >> "$temp/tree/docs/glossary.md"
        refused 'docs/glossary.md:' "$root/scripts/check-columns.sh" "$temp/tree"
        restore docs/glossary.md
        # What is filled in counts little, what stands around it as it is.
        printf '@NODES@ @LINKS@ %0110d\n@NODES@ %0117d\n' 0 0 >> "$temp/tree/gen/templates/README.md"
        refused 'gen/templates/README.md:' "$root/scripts/check-columns.sh" "$temp/tree"
        grep -q ': 122 columns' "$temp/said" && [ "$(wc -l < "$temp/said")" = 1 ] || { cat "$temp/said" >&2; exit 1; }
        restore gen/templates/README.md
        printf '%0121d\n' 0 >> "$temp/tree/docs/guide/advise.md"
        refused 'docs/guide/advise.md:' "$root/scripts/check-columns.sh" "$temp/tree"
        ;;
    links)
        python3 "$root/scripts/check-links.py" "$root"
        mutant
        link_mutant README.md '[a page](docs/mutant.md)' 'README.md:' 'a link to docs/mutant.md, which is not there'
        link_mutant docs/guide/advise.md '![](../mutant.svg)' 'docs/guide/advise.md:' '../mutant.svg, which is not there'
        link_mutant README.md '[out of the tree](../)' 'a link to ../, which is not there'
        link_mutant README.md '[a heading](docs/glossary.md#mutant)' 'docs/glossary.md#mutant, which has no such heading'
        link_mutant README.md '[a heading](#mutant)' 'a link to #mutant, which has no such heading'
        link_mutant docs/theory/records.md 'see `core/mutant.c`.' 'core/mutant.c is not there'
        link_mutant docs/theory/records.md 'see docs/mutant/<name>.md' 'docs/mutant/<name>.md is not there'
        link_mutant docs/theory/records.md 'see `mutant.c`' 'mutant.c is nowhere'
        link_mutant docs/theory/records.md 'see `gossipfab/mutant.h`' 'gossipfab/mutant.h is not there'
        link_mutant core/base/status.c '/* docs/mutant.md */' 'core/base/status.c:' 'docs/mutant.md is not there'
        all_refused python3 "$root/scripts/check-links.py" "$temp/tree"
        echo '# A page that nobody finds' > "$temp/tree/docs/theory/mutant.md"
        refused 'docs/theory/README.md: no link to docs/theory/mutant.md' \
            python3 "$root/scripts/check-links.py" "$temp/tree"
        # What is in a block of code, on the web or a heading that is there is no fault.
        mutant
        printf '\n```\n[code](mutant.md)\n```\n\n    [code](mutant.md)\n\n[web](https://example.org/a.md)\n%s\n' \
            '[here](docs/architecture.md#five-questions)' >> "$temp/tree/README.md"
        python3 "$root/scripts/check-links.py" "$temp/tree"
        ;;
    style)
        "$root/scripts/check-style.sh" "$root" # exit status 77 where clang-format is missing
        style_mutant core/base/status.c 'static  int mutant;' 'core/base/status.c'
        style_mutant tests/unit/op_test.cc 'static  int mutant;' 'tests/unit/op_test.cc'
        style_mutant core/base/status.c 'int m(int a) { if (a) { a++; } return a; }' 'core/base/status.c'
        style_mutant core/base/status.c 'static const int *m, n = m == NULL;' 'null pointers are tested as p and !p'
        style_mutant core/base/status.c 'static const int *m, n = NULL != m;' 'null pointers are tested as p and !p'
        style_mutant tests/unit/op_test.cc 'const int *m, n = m != nullptr;' 'null pointers are tested as p and !p'
        style_mutant tb/lockstep/dut.h 'const int *m, n = nullptr == m;' 'null pointers are tested as p and !p'
        opening_mutant core/base/crc32.c '2,/\*\//d'
        opening_mutant extras/board/cli/cmd_board.c '2i#define MUTANT'
        opening_mutant tests/fuzz/fuzz.c 1G
        opening_mutant core/fabric/op.c '2s/.*/\/* ROM words. *\/\n\/* The rest./'
        opening_mutant core/base/version.c '2s/.*/\/* ---- the version of it ---- *\/\n\/* The rest./'
        ;;
    sizes)
        python3 "$root/scripts/check-sizes.py" "$root"
        mkdir -p "$temp/tree/folder" "$temp/tree/tests/unit" "$temp/tree/core/solvers/telephone/records"
        for i in $(seq 26); do
            touch "$temp/tree/folder/$i" "$temp/tree/tests/unit/$i" "$temp/tree/core/solvers/telephone/records/$i"
        done
        refused 'folder: 26 entries, more than 25' python3 "$root/scripts/check-sizes.py" "$temp/tree"
        rm "$temp/tree/folder/1"
        mkdir -p "$temp/tree/gen/templates/chips"
        printf '@IF A@\n@END@\n%.0s' $(seq 91) > "$temp/tree/gen/templates/chips/a.v"
        refused 'gen/templates: 91 conditions, more than 90' python3 "$root/scripts/check-sizes.py" "$temp/tree"
        rm "$temp/tree/gen/templates/chips/a.v"
        mkdir -p "$temp/tree/cli"
        printf 'int f(int a, int (*b)(int, int), int c, int d, int e, int f)\n{\n}\n%.0s' $(seq 31) > "$temp/tree/cli/a.c"
        python3 "$root/scripts/check-sizes.py" "$temp/tree" # a parameter's own commas do not count
        sed -i 's/(int, int)/(int), int g/' "$temp/tree/cli/a.c"
        refused '31 functions with more than 6 parameters, more than 30' python3 "$root/scripts/check-sizes.py" "$temp/tree"
        rm "$temp/tree/cli/a.c"
        python3 "$root/scripts/check-sizes.py" "$temp/tree"
        for file in core/a.c include/a.h tb/a.cc tb/a.cpp rtl/a.v rtl/a.vh scripts/a.py scripts/a.sh cmake/a.cmake \
            cli/CMakeLists.txt; do
            sizes_mutant $file 601 '' '' '' "$file: 601 lines, more than 600"
        done
        head='module a (\n'
        sizes_mutant rtl/host/a.v 251 "$head);\n" '' '' 'rtl/host/a.v: 251 lines, more than 250, and its head does not say'
        sizes_mutant rtl/host/a.v 28 "$head" '    input wire a,' ');\n' 'a.v: 26 ports, more than 25'
        sizes_mutant rtl/host/a.v 17 'module a #(\n' '    parameter A = 1,' ") (\n$(repeated '' 1)\n);\n" \
            'a.v: 13 parameters, more than 12'
        sizes_mutant rtl/host/a.v 29 "// 25 ports: a bus.\n$head" '    input wire a,' ');\n' '26 ports, and its head says 25'
        sizes_mutant core/a.c 71 'static int mutant(int a,\n                  int b)\n{\n' '    a++;' '}\n' \
            'core/a.c:1: mutant has 71 lines, more than 70'
        sizes_mutant tb/a.cc 71 'TEST(Mutant, Test)\n{\n' '    { }' '}\n' 'TEST(Mutant, Test) has 71 lines'
        sizes_mutant tb/a.h 73 'struct A {\n    void mutant()\n    {\n' '        b();' '    }\n};\n' \
            'tb/a.h:2: mutant has 71 lines'
        sizes_mutant scripts/a.py 71 'def mutant():\n' '    pass' '' 'scripts/a.py:1: mutant has 71 lines'
        sizes_mutant scripts/a.sh 71 'mutant() {\n' '    true' '}\n' 'scripts/a.sh:1: mutant has 71 lines'
        ;;
    circles)
        build=$2 cc=$3
        python3 "$root/scripts/check-circles.py" "$build" # exit status 77 where nm is missing
        circle_mutant '' 'int b(void); int a(void) { return b(); }' 'int b(void) { return 0; }'
        circle_mutant 'a.c -> b.c: b' 'int b(void); int a(void) { return b(); }' 'int a(void); int b(void) { return a(); }'
        circle_mutant 'b.c -> a.c: a' 'int b(void); int a(void) { return b(); }' 'int a(void); int (*b)(void) = a;'
        circle_mutant 'a circle of 2 files' 'extern const int b; int a(void) { return b; }' \
            'int a(void); const int b = 1; int c(void) { return a(); }'
        refused 'no objects' python3 "$root/scripts/check-circles.py" "$temp"
        ;;
    layers)
        python3 "$root/scripts/check-layers.py" "$root"
        python3 "$root/scripts/check-layers.py" --closures "$root" > "$temp/closures"
        grep -qE '^topology +[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+  base$' "$temp/closures"
        grep -E '^cmodel ' "$temp/closures" | grep -w image > /dev/null
        ! grep -E '^cmodel .* (schedule|program|solver)( |$)' "$temp/closures" || exit 1
        layer_mutant cmodel/cmodel.c '<gossipfab/schedule/schedule.h>' 'cmodel may not include schedule'
        layer_mutant gen/fabric.c '<gossipfab/solvers/solver.h>' 'gen may not include solver'
        layer_mutant gen/fabric.c '<gossipfab/fabric/program.h>' 'gen may not include program'
        layer_mutant core/schedule/verify.c '<gossipfab/solvers/solver.h>' 'solvers/solver.h: verify may not include solver'
        layer_mutant core/schedule/verify.c '<gossipfab/fabric/program.h>' 'verify may not include program'
        layer_mutant core/solvers/search/greedy.c '<gossipfab/schedule/verify.h>' 'search may not include verify'
        layer_mutant extras/mpi/plan.c '<gossipfab/schedule/verify.h>' 'extras/mpi may not include verify'
        layer_mutant core/fabric/image.c '"solvers/mutant.h"' 'solvers/mutant.h, which is not there'
        layer_mutant core/schedule/verify.c '"solvers/solvers.h"' 'solvers/solvers.h: verify may not include solver'
        layer_mutant cli/main.c '"../core/base/number.h"' 'cli/main.c -> core/base/number.h: cli/ may include public'
        layer_mutant cmodel/cmodel.c '"../core/base/number.h"' 'cmodel/ may include public headers and its own alone'
        layer_mutant tests/unit/op_test.cc '"../../cli/cli.h"' 'tests/ may include public headers and its own alone'
        layer_mutant bench/solver_bench.c '"../core/base/number.h"' 'bench/ may include public headers and its own alone'
        layer_mutant cli/main.c '"../bench/papers/papers.h"' 'bench/papers/papers.h: cli/ may include public headers and its own alone'
        layer_mutant tb/lockstep/dut.cc '<gossipfab/schedule/schedule.h>' 'tb may not include schedule'
        layer_mutant core/base/status.c '"base/version.c"' 'core/base/status.c -> core/base/version.c: core/ may include'
        layer_mutant core/base/mutant.c '<gossipfab/base/status.h>' 'belongs to no layer'
        # What a header includes counts too.
        layer_mutant include/gossipfab/topology/topology.h '<gossipfab/schedule/schedule.h>' \
            'include/gossipfab/topology/topology.h -> include/gossipfab/schedule/schedule.h: topology may not include'
        all_refused python3 "$root/scripts/check-layers.py" "$temp/tree"
        layer_mutant core/base/bits.h '"base/bits.h"' 'headers include each other in a circle'
        all_refused python3 "$root/scripts/check-layers.py" "$temp/tree"
        echo '#include "base/random.h"' >> "$temp/tree/core/base/bits.h"
        echo '#include "base/bits.h"' >> "$temp/tree/core/base/random.h"
        refused 'core/base/bits.h -> core/base/random.h -> core/base/bits.h: headers include each other in a circle' \
            python3 "$root/scripts/check-layers.py" "$temp/tree"
        restore core/base/bits.h
        restore core/base/random.h
        # The table: a file that is not there, one that is in two layers, a page that says something else or has no place
        # for it.
        table_mutant 's#core/base/version.c#core/base/mutant.c#' 'base has core/base/mutant.c, which is not there'
        table_mutant 's#core/fabric/op.c#core/base/version.c#' 'core/base/version.c is in base and in op'
        table_mutant 's#USES machine ring$#USES machine ring op#' 'the table of the law is not that of cmake/layers.cmake'
        sed -i '/^<!-- end of the law -->$/d' "$temp/tree/docs/architecture.md"
        refused 'the marks around the table of the law are not there once each' \
            python3 "$root/scripts/check-layers.py" "$temp/tree"
        ;;
    lists)
        python3 "$root/scripts/check-lists.py" "$root"
        mutant
        touch "$temp/tree/cli/mutant.c" "$temp/tree/tests/unit/mutant_test.cc"
        refused 'cli/mutant.c: not in cli/CMakeLists.txt' python3 "$root/scripts/check-lists.py" "$temp/tree"
        refused 'tests/unit/mutant_test.cc: not in' python3 "$root/scripts/check-lists.py" "$temp/tree"
        ;;
    readers)
        check=(python3 "$root/tests/fuzz/check_readers.py")
        "${check[@]}" "$root"
        mutant
        echo 'gfab_status gfab_mutant_read(FILE *file, int *number, gfab_diag *diag);' >> "$temp/tree/include/gossipfab/base/text.h"
        echo 'gfab_status gfab_mutant_take(const char *folder);' >> "$temp/tree/include/gossipfab/base/text.h"
        echo 'gfab_status gfab_mutant_write(const int *number, FILE *file);' >> "$temp/tree/include/gossipfab/base/text.h"
        refused 'gfab_mutant_read reads what comes from outside' "${check[@]}" "$temp/tree"
        refused 'gfab_mutant_take reads what comes from outside' "${check[@]}" "$temp/tree"
        if grep gfab_mutant_write "$temp/said"; then exit 1; fi # it writes
        restore include/gossipfab/base/text.h
        rm "$temp/tree/tests/fuzz/certificate.c"
        refused 'gfab_certificate_read reads what comes from outside' "${check[@]}" "$temp/tree"
        restore tests/fuzz/certificate.c
        sed -i 's/ certificate / /' "$temp/tree/tests/fuzz/CMakeLists.txt"
        refused 'tests/fuzz/certificate.c: not among fuzz_targets' "${check[@]}" "$temp/tree"
        restore tests/fuzz/CMakeLists.txt
        rm "$temp/tree/tests/fuzz/corpus/plan.txt"
        refused 'tests/fuzz/corpus/plan.txt: missing' "${check[@]}" "$temp/tree"
        restore tests/fuzz/corpus/plan.txt
        sed -i 's/gfab_image_read_joined/gfab_image_read_other/' "$temp/tree/core/fabric/machine_read.c"
        refused 'core/fabric/machine_read.c: does not call gfab_image_read_joined' "${check[@]}" "$temp/tree"
        ;;
    words)
        check=(python3 "$root/scripts/check-words.py")
        "${check[@]}" "$root"
        mutant
        word_mutant() { # FILE TEXT REASON
            printf '%s\n' "$2" >> "$temp/tree/$1"
            expected "$1" "$3"
        }
        word_mutant README.md 'An Allreduce of blocks.' "'Allreduce': we say all-gather, all-reduce, all-to-all"
        word_mutant docs/theory/relays.md 'slots are handed
out anew' "'handed out': we say allocated, reused"
        word_mutant include/gossipfab/fabric/op.h '/* an opcode. */' "'opcode': we say op"
        word_mutant core/fabric/program_internal.h '/* a vertex. */' "'vertex': we say node"
        word_mutant cli/main.c '/* in every time-step; a time step */' "'time step': we say round"
        word_mutant docs/reference/formats.md 'by wormhole routing' "'wormhole': we say circuit"
        all_refused "${check[@]}" "$temp/tree"
        # Names, paths and files that may.
        echo 'ring-allgather.xml MPI_Allreduce opcode.md a/vertex GFAB_CHUNK opcodes' >> "$temp/tree/README.md"
        echo 'A chunk, chunks.' >> "$temp/tree/docs/reference/formats.md"
        "${check[@]}" "$temp/tree"
        # The table.
        sed -i 's/^| `phit` | flit/| `phit` | /' "$temp/tree/docs/glossary.md"
        refused 'not a row of words: | `phit`' "${check[@]}" "$temp/tree"
        sed -i '/read by scripts.check-words.py/d' "$temp/tree/docs/glossary.md"
        refused 'the mark above the table of words is not there once' "${check[@]}" "$temp/tree"
        ;;
    pages)
        check=(python3 "$root/scripts/check-pages.py")
        "${check[@]}" "$root"
        mutant
        page_mutant() { # PAGE SED REASON
            sed -i "$2" "$temp/tree/docs/$1.md"
            refused "docs/$1.md: $3" "${check[@]}" "$temp/tree"
            restore "docs/$1.md"
        }
        page_mutant guide/replanning '3,5d' 'does not begin with what it is for'
        page_mutant guide/search '/^    F=/,/^$/d' 'no example before the first heading'
        page_mutant guide/streams '2a\\n| a | table |\n| --- | --- |' 'does not begin with what it is for'
        page_mutant guide/player '4a\\n- a rule\n' 'rules stand before the example'
        page_mutant guide/player 's/8x8/NxN/g; s/12 of its 36//; s/27//; s/-8x8//' 'the example has no number'
        page_mutant reference/rom-format '/^| T | lane stride/d' 'letters that no table of the page has: T'
        page_mutant reference/wide-links 's/^| letter | meaning |/| name | meaning |/' 'letters that no table of the page has: B'
        page_mutant reference/registers '3a\\n## One\n\n## Two\n' 'the table of letters stands behind the second heading'
        ;;
    mutants)
        check=(python3 "$root/tests/mutate/check_modules.py")
        "${check[@]}" "$root"
        mutant
        touch "$temp/tree/rtl/wide/gfab_new.v"
        rm "$temp/tree/rtl/board/gfab_pll.v" "$temp/tree/rtl/common/gfab_sequence.v"
        refused 'gfab_new: in no class, and not in APART' "${check[@]}" "$temp/tree"
        refused 'gfab_pll: no module of rtl/' "${check[@]}" "$temp/tree"
        refused 'gfab_sequence: no module of rtl/' "${check[@]}" "$temp/tree"
        mutant
        sed -i 's/"gfab_pll": .*/"gfab_pll": "", "gfab_node": "never",/' "$temp/tree/tests/mutate/classes.py"
        refused 'gfab_pll: APART without a reason' "${check[@]}" "$temp/tree"
        refused 'gfab_node: in a class and in APART' "${check[@]}" "$temp/tree"
        mutant
        sed -i 's/o_in_lane/o_write_lane/' "$temp/tree/tb/modules/gfab_sequencer_pair.cc"
        refused 'gfab_sequencer_pair.cc has o_write_lane, which is no port' "${check[@]}" "$temp/tree"
        ;;
    generate-names)
        check=(python3 "$root/scripts/check-generate-names.py")
        mapfile -t files < <(find "$root/rtl" -name '*.v')
        "${check[@]}" "${files[@]}"
        # Blocks of always and functions need no names; generate blocks do, with begin or without.
        good='module m #(parameter P = 1) (input wire c); always @(posedge c) if (P) begin end else begin end
            function f; input a; begin if (a) begin f = 0; end end endfunction
            genvar i; for (i = 0; i < P; i = i + 1) begin : gen_a wire x; end
            if (P) begin : gen_b wire y; end else if (P > 2) begin : gen_c wire z; end else begin : gen_d wire w; end
            case (P) 1: begin : gen_e wire v; end default: begin : gen_f wire v; end endcase endmodule'
        printf '%s\n' "$good" > "$temp/m.v"
        "${check[@]}" "$temp/m.v"
        for name in a b c d e f; do
            sed "s/begin : gen_$name/begin/" "$temp/m.v" > "$temp/mutant.v"
            refused 'a generate block without a name' "${check[@]}" "$temp/mutant.v"
            sed "s/gen_$name/other_$name/" "$temp/m.v" > "$temp/mutant.v"
            refused 'a generate block without a name' "${check[@]}" "$temp/mutant.v"
        done
        echo 'module m; if (1) wire x; endmodule' > "$temp/mutant.v"
        refused 'mutant.v:1: a generate block without a name' "${check[@]}" "$temp/mutant.v"
        ;;
    rtl)
        "$root/scripts/lint-rtl.sh" # exit status 77 where a tool is missing
        mutant
        sed -i 's/^endmodule/reg extra_q; endmodule/' "$temp/tree/rtl/narrow/gfab_store.v"
        refused 'gfab_store: verilator' "$temp/tree/scripts/lint-rtl.sh" rtl/narrow/gfab_store.v
        restore rtl/narrow/gfab_store.v
        sed -i 's/^endmodule/wire f; assign g = f; endmodule/' "$temp/tree/rtl/narrow/gfab_store.v"
        refused 'rtl: icarus' "$temp/tree/scripts/lint-rtl.sh" rtl/narrow/gfab_store.v
        restore rtl/narrow/gfab_store.v
        sed -i 's/^endmodule/gfab_mutant u_mutant (); endmodule/' "$temp/tree/rtl/narrow/gfab_store.v"
        refused 'gfab_store: yosys' "$temp/tree/scripts/lint-rtl.sh" rtl/narrow/gfab_store.v
        restore rtl/narrow/gfab_store.v
        sed -i 's/^endmodule/wire before; endmodule/' "$temp/tree/rtl/narrow/gfab_store.v"
        refused 'rtl: systemverilog' "$temp/tree/scripts/lint-rtl.sh" rtl/common/gfab_link.v
        restore rtl/narrow/gfab_store.v
        sed -i 's/link drive")$/&;/' "$temp/tree/rtl/common/gfab_link.v"
        for define in SIMULATION FORMAL SYNTHESIS; do
            refused "gfab_link: an empty statement, with $define defined" "$temp/tree/scripts/lint-rtl.sh" \
                rtl/common/gfab_link.v
        done
        for empty in 'begin i_q <= 1; ; end' 'if ((i_q)) ;' 'if (i_q) i_q <= 0; else ;'; do
            restore rtl/common/gfab_link.v
            sed -i "s/^endmodule/reg i_q; always @(posedge i_clk) $empty endmodule/" "$temp/tree/rtl/common/gfab_link.v"
            refused 'gfab_link: an empty statement' "$temp/tree/scripts/lint-rtl.sh" rtl/common/gfab_link.v
        done
        ;;
    *)
        echo "lint_test.sh: unknown check $1" >&2
        exit 2
        ;;
esac
