for style in dot-wire rounds; do
    gossipfab show --topology mesh:4x4 --style $style --svg a.svg
    gossipfab show --topology mesh:4x4 --style $style --svg b.svg >/dev/null
    cmp a.svg b.svg && head -3 a.svg && tail -1 a.svg
    python3 -c "import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])" a.svg && echo well-formed
done
grep -c "<circle" a.svg
gossipfab show --topology torus:4x4 --line column:2 --svg c.svg && grep -c "<circle" c.svg
