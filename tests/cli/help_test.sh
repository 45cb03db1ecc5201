#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Manual pages and completions have what the help has, and are what groff, bash, zsh and fish take: help_test.sh GOSSIPFAB
set -euo pipefail
export LC_ALL=C
command=$1
PATH=$(dirname "$command"):$PATH
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT

# groff prints what it does not understand; so a page that it has nothing to say of is sound.
is_sound() { groff -man -Tascii -ww "$1" 2> "$temp/said" > "$temp/page" && [ ! -s "$temp/said" ]; }

gossipfab help --completion bash > "$temp/bash"
gossipfab help --completion zsh > "$temp/zsh"
gossipfab help --completion fish > "$temp/shell.fish"
gossipfab help > "$temp/help"
mapfile -t verbs < <(sed -n 's/^  \([a-z]*\)  .*/\1/p' "$temp/help")
[ "${#verbs[@]}" -ge 12 ] || { echo "the help lists ${#verbs[@]} commands"; exit 1; }
for verb in "" "${verbs[@]}"; do
    # shellcheck disable=SC2086 # none for the first
    gossipfab help $verb --man > "$temp/man"
    [ -z "$verb" ] || gossipfab "$verb" --help-all > "$temp/help"
    [ -z "$verb" ] || gossipfab help "$verb" --all | diff - "$temp/help"
    [ -z "$verb" ] || gossipfab help "$verb" | diff - <(gossipfab "$verb" --help)
    for option in $(sed -n 's/^  \(-., \|    \)\(--[a-z-]*\).*/\2/p' "$temp/help"); do
        grep -qF -- "\\fB${option//-/\\-}\\fR" "$temp/man" || { echo "$verb: no $option in the page"; exit 1; }
        for shell in bash zsh; do
            grep -qE -- "(^|[^a-z-])$option([^a-z-]|$)" "$temp/$shell" || { echo "$verb: no $option in $shell"; exit 1; }
        done
        grep -qE -- "from $verb' .*-l ${option#--} " "$temp/shell.fish" || [ -z "$verb" ] ||
            { echo "$verb: no $option in fish"; exit 1; }
    done
    if command -v groff > /dev/null; then
        is_sound "$temp/man" || { echo "page of '$verb':"; cat "$temp/said"; exit 1; }
        printf '.XX\n' >> "$temp/man"
        ! is_sound "$temp/man" || { echo 'groff takes what it does not understand'; exit 1; }
    fi
done

# At first a line for each of a few options; all of them, once each, behind the topics. first VERB FILE: what is wrong.
first() {
    sed -n '/^options:/,/^$/p' "$2" | sed '1d;$d' > "$temp/options"
    [ "$(wc -l < "$temp/options")" -le 15 ] || echo "$1: more than 15 lines of options"
    ! grep -vE '^  (-.,|   ) --[a-z-]+ ' "$temp/options" || echo "$1: an option takes more than a line"
}
for verb in schedule simulate generate advise; do
    gossipfab "$verb" --help > "$temp/help"
    said=$(first "$verb" "$temp/help")
    [ -z "$said" ] || { echo "$said"; exit 1; }
    hidden=$(sed -n 's/^\([0-9]*\) more options: .*/\1/p' "$temp/help")
    all=$(gossipfab "$verb" --help-all | tee "$temp/help-all" | grep -cE '^  (-.,|   ) --')
    [ "$all" -eq $(($(wc -l < "$temp/options") + hidden + 1)) ] || { echo "$verb: options are lost, or twice there"; exit 1; }
    [ -n "$(first "$verb" "$temp/help-all")" ] || { echo 'a help with all options passes'; exit 1; }
    for topic in $(sed -n 's/^by topic: gossipfab help //p' "$temp/help" | tr -d ,); do
        gossipfab help "$topic" | grep -qE '^ +--' || { echo "$topic: no options"; exit 1; }
    done
done

# What the shell offers for a line, sorted, on one line.
# shellcheck source=/dev/null
source "$temp/bash"
offers() {
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
    _gossipfab
    printf '%s\n' "${COMPREPLY[@]}" | sort | paste -sd ' '
}
expect() {
    local expected=$1
    shift
    [ "$(offers "$@")" = "$expected" ] || { echo "'$*' is completed by '$(offers "$@")', not '$expected'"; exit 1; }
}
cd "$temp"
mkdir folder
touch file
expect 'generate' gossipfab gen
expect 'full half' gossipfab schedule --link-mode ''
expect 'full' gossipfab generate --link-mode f
expect 'mesh' gossipfab simulate -t me
expect 'hx8k' gossipfab generate --board hx
expect 'torus-bank torus-tree' gossipfab generate --solver torus
expect '--token-bits --token-seed' gossipfab generate --token
expect 'folder' gossipfab generate -o f
expect 'file folder' gossipfab verify f
expect 'read run' gossipfab board r
expect 'topologies' gossipfab list t
expect '' gossipfab generate --token-bits ''
expect 'torus' gossipfab schedule tor
expect 'file' gossipfab simulate fil
expect 'folder' gossipfab schedule fol

if command -v zsh > /dev/null; then
    # A terminal of its own, in which a key completes the line and writes it down.
    cat > "$temp/drive" << 'END'
zmodload zsh/zpty
zpty shell "PS1= zsh -f -i"
zpty -w shell "autoload -Uz compinit; compinit -u -D; source $1; compdef _gossipfab gossipfab"
zpty -w shell "note() { zle complete-word; print -r -- \$BUFFER > $3; exit }; zle -N note; bindkey '^T' note; echo read''y"
zpty -r -m shell line '*ready*'
zpty -n -w shell "gossipfab $2"$'\C-t'
while zpty -r shell line; do :; done
END
    is_completed() {
        rm -f "$temp/line"
        timeout 20 zsh -f "$temp/drive" "$temp/$1" "$2" "$temp/line" > /dev/null || true
        grep -qF -- "$3" "$temp/line" 2> /dev/null
    }
    for try in 'generate --link-mo|--link-mode' 'simulate --port-mode o| one' 'list topo|topologies'; do
        is_completed zsh "${try%|*}" "${try#*|}" || { echo "zsh: '${try%|*}' is not completed by '${try#*|}'"; exit 1; }
    done
    echo '_gossipfab() { _files }' | cat "$temp/zsh" - > "$temp/mutant"
    ! is_completed mutant 'list topo' topologies || { echo 'zsh: what does not complete passes'; exit 1; }
fi
if command -v fish > /dev/null; then
    mkdir home
    # What fish offers for a line, without its explanations; files too where the script does not forbid them.
    is_offered() { XDG_CONFIG_HOME=home XDG_DATA_HOME=home HOME=$temp fish -N -c "source $1; complete -C '$2'" 2> /dev/null | cut -f 1 | grep -qxF -- "$3"; }
    for try in 'gossipfab gen|generate' 'gossipfab generate --link-mo|--link-mode' 'gossipfab simulate --port-mode o|one' \
        'gossipfab list topo|topologies' 'gossipfab schedule tor|torus' 'gossipfab generate --board hx|hx8k' \
        'gossipfab verify fi|file'; do
        is_offered shell.fish "${try%|*}" "${try#*|}" || { echo "fish: '${try%|*}' is not completed by '${try#*|}'"; exit 1; }
    done
    ! is_offered shell.fish 'gossipfab generate --token-bits fi' file || { echo 'fish: a file for a number'; exit 1; }
    grep -v board "$temp/shell.fish" > "$temp/mutant"
    ! is_offered mutant 'gossipfab generate --board hx' hx8k || { echo 'fish: what does not complete passes'; exit 1; }
fi
echo 'help: manual pages and completions are sound'
