echo "== any graph, and a page of rounds"
gossipfab show --topology hypercube:3 --svg h.svg
gossipfab show --topology torus:3x3x3 --style rounds --svg t.svg
gossipfab show --topology mesh:16x16 --style rounds --svg m.svg 2>&1
gossipfab show --topology mesh:16x16 --style rounds --rounds 33-48 --svg m.svg
gossipfab show --topology mesh:16x16 --rounds 136-136 --svg last.svg
python3 - << 'END'
import xml.etree.ElementTree as tree
for name in ("h", "t", "m", "last"):
    root = tree.parse(f"{name}.svg").getroot()
    texts = [t.text for t in root.iter("{http://www.w3.org/2000/svg}text") if (t.text or "").startswith("round ")]
    circles = len(list(root.iter("{http://www.w3.org/2000/svg}circle")))
    print(name, max(int(root.get("width")), int(root.get("height"))) <= 4000, len(texts), texts[0], circles)
END
echo "== relays, weights and names"
printf 'SwitchName=s0 Nodes=n[0-1]\nSwitchName=s1 Nodes=n[2-3]\nSwitchName=top Switches=s[0-1]\n' > topology.conf
gossipfab show topology.conf+weight=s0-top:3+weight=s1-top:3 --link-mode full -c broadcast --root n3 --svg s.svg
grep -c '<rect.*rx="2"' s.svg
grep -c 'M.*" stroke-width="3"/>' s.svg
sed -n 's/.*>\(n3\|top\|x3\|broadcast of.*\|x6: .*\|a relay, .*\)<.text>/\1/p' s.svg
gossipfab show topology.conf --animate moves.svg -c all-reduce --link-mode full 2>&1
gossipfab show topology.conf --html x.html && grep -c '"switches"' x.html
gossipfab show topology.conf+relay=s0,s1,top:forward --link-mode full --html y.html 2>&1 | grep -o 'which the.*'
gossipfab schedule topology.conf -c broadcast --root n3 | grep collective
gossipfab schedule path:4+relay=1 -c broadcast --root 2 | grep collective
gossipfab advise path:4+relay=1 -c broadcast --root 2 --bytes 1KB --bandwidth 1 --latency 1 | grep collective
echo "== rounds as text"
gossipfab show --topology mesh:2x2 --rounds 2-2 | tail -5
gossipfab show --topology mesh:2x2 --rounds 1-4 2>&1
gossipfab show --topology mesh:2x2 --rounds 2 2>&1
gossipfab show --topology mesh:2x2 --rounds 1-2 --round 1 2>&1
gossipfab show --topology mesh:2x2 --rounds 1-2 --style dot-wire --svg x.svg 2>&1
gossipfab show --topology hypercube:3 --style dot-wire --svg x.svg 2>&1
gossipfab show --topology mesh:1x300 --style rounds --svg x.svg 2>&1
echo "== heat maps"
gossipfab show --topology path:4 --style heat --svg heat.csv && cat heat.csv
gossipfab simulate --topology path:4 --heat cycles.csv > report && cat cycles.csv
gossipfab simulate --topology torus:3x3 --heat - 2>&1
gossipfab simulate --topology torus:3x3 --heat heat.png 2>&1
gossipfab simulate --topology torus:3x3 --heat heat.svg > report
gossipfab show --topology torus:3x3 --style heat --svg shown.svg
for file in heat shown; do
    python3 -c "import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])" $file.svg && grep -c "<title>" $file.svg
done
grep -h "over a link" heat.svg shown.svg | sed 's/.*">//'
test ! -e x.svg && test ! -e heat.png && echo nothing else written
