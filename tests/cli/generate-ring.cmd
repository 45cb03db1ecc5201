gossipfab generate mesh:4x4 --store ring --link-mode full -o out &&
gossipfab generate torus:3x5 --store ring --link-mode full --token-bits 36 --link-bits 4 --name rings -o rings &&
ls -R rings && grep -E '^module' rings/*.v
gossipfab generate cycle:5 --store ring --link-bits 32 --json -o shifts | grep -vE '"(directory|version)"'
gossipfab generate cycle:5 --store ring --link-bits 32 -o shifts 2>&1 # which is there
