#!/bin/bash
# Installs a wheel on a bare system and uses it; docs/contribute/release.md describes the set-up. /wheels has our wheels,
# those of Click and maturin, the source distribution and the folder programs/.
set -euo pipefail
export HOME=/home/user LC_ALL=C.UTF-8 PATH=/usr/bin:/bin PIP_NO_INDEX=1 PIP_FIND_LINKS=/wheels MANPAGER=cat
cd "$HOME"

fails() {
    echo "NOT SO: $*" >&2
    exit 1
}
# shows TEXT COMMAND…: checks that the command succeeds and that its output contains the text.
shows() {
    local said
    said=$("${@:2}" 2>&1) || fails "${*:2} ends with $?: $said"
    [[ $said == *"$1"* ]] || fails "${*:2} shows no '$1' but: $said"
    echo "ok  ${*:2}"
}

# completed WORD: completes as bash does on the first Tab: bash-completion finds the script, which asks the command.
completed() {
    export XDG_DATA_DIRS=$VIRTUAL_ENV/share
    set +u
    . /usr/share/bash-completion/bash_completion
    _completion_loader cellstats || true # 124: look again
    COMP_WORDS=(cellstats "$1") COMP_CWORD=1
    _cellstats_completion cellstats "$1" cellstats
    echo "${COMPREPLY[@]}"
}

for tool in cc gcc cargo rustc; do
    ! command -v "$tool" > /dev/null || fails "$tool is here: this is no bare computer"
done
rm -rf venv pages && python3 -m venv venv && mkdir pages
. venv/bin/activate
shows "Successfully installed" pip install --only-binary :all: cellstats

shows "158 ns" cellstats -f mailbox -n 2 -s
shows "spes" cellstats -f dmaget -N 6 -b 1k --format json
shows "SPE" cellstats trace dmaget -n 1
shows "pages/x.html" cellstats watch couples -n 6 --out pages/x.html
grep -q 'id="simulator"' pages/x.html || fails "the page has no simulator"
shows "hello" cellstats spu /wheels/programs/samples/hello.elf -n 2
shows "matplotlib" bash -c '! cellstats reproduce'
shows "SPE" cellstats run /wheels/linux/programs/hello.elf

shows "CELLSTATS-MACHINE-SHOW(1)" man cellstats-machine-show
shows "mailbox, signal" man cellstats
shows "watch" completed wat

deactivate
rm -rf venv && python3 -m venv venv
. venv/bin/activate
shows "cellstats: Rust is missing" bash -c '! pip install --no-binary cellstats cellstats'
