gossipfab generate --topology path:2 --token-bits 8 --link-bits 2 --name ring --registers wishbone -o out > /dev/null && ls out/*registers* out/*_litex.py out/rtl/*registers* out/rtl/*wishbone* &&
sed -n '/^module/,/^);/p' out/ring_registers.v && grep '"registers"' out/manifest.json && tail -n 8 out/ring_registers.h
gossipfab generate --topology path:2 --registers axi -o refused 2>&1
echo "exit $?"
