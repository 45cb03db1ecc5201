gossipfab bound --topology cycle:8 --port-mode one --json | grep -e schema -e rounds -e symbol
