gossipfab show path:3 --animate a.svg && gossipfab show path:3 --animate - 2> log | cmp - a.svg && echo same
grep -c animation-name a.svg
grep '^<text.*</text>' a.svg | sed 's/<[^>]*>//g'
gossipfab show mesh:3x3 -c all-to-all --animate to.svg
gossipfab show cycle:5 -c broadcast --blocks 2 --animate to.svg
# A cell of each store turns full where its total is there: in all nodes, or in its owner alone.
for collective in all-reduce reduce-scatter reduce; do
    gossipfab show mesh:3x3 -c $collective --animate sum.svg
    grep -c '<rect class="m c' sum.svg
done
# A relay has no cell; a link of weight 2 says so, and nodes of a file have their names.
echo 'graph { a -- sw [weight=2]; b -- sw; c -- sw; sw [relay=switch] }' > own.dot
gossipfab show own.dot --link-mode full --animate own.svg
grep -c 'fill="#e4e7eb"' own.svg
grep -E '>(x2|a|sw)<' own.svg | sed 's/<[^>]*>//g'
grep '[$] gossip' own.svg | sed 's/<[^>]*>//g'
echo "== refused"
gossipfab show mesh:11x11 --animate none.svg 2>&1
gossipfab show mesh:10x10 --animate none.svg 2>&1
gossipfab show mesh:3x3 --animate none.svg --svg none.svg 2>&1
gossipfab show mesh:3x3 --animate none.svg --rounds 1-2 2>&1
test ! -e none.svg && echo nothing written
