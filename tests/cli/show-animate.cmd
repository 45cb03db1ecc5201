gossipfab show path:3 --animate a.svg && gossipfab show path:3 --animate - 2> log | cmp - a.svg && echo same
grep -c animation-name a.svg
grep '^<text.*</text>' a.svg | sed 's/<[^>]*>//g'
gossipfab show mesh:3x3 -c all-to-all --animate to.svg
gossipfab show cycle:5 -c broadcast --blocks 2 --animate to.svg
echo "== refused"
gossipfab show mesh:3x3 -c all-reduce --animate none.svg 2>&1
gossipfab show mesh:11x11 --animate none.svg 2>&1
gossipfab show mesh:10x10 --animate none.svg 2>&1
gossipfab show mesh:3x3 --animate none.svg --svg none.svg 2>&1
gossipfab show mesh:3x3 --animate none.svg --rounds 1-2 2>&1
test ! -e none.svg && echo nothing written
