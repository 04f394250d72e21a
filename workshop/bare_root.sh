#!/usr/bin/env bash
# Runs a command in a fresh clone of this checkout, on a machine that has what README asks for and nothing else, as a user
# who is not root.
#
#     workshop/bare_root.sh 'make run'                  a bare Debian 12, with this computer's Rust and rustup
#     workshop/bare_root.sh --no-rustup 'make test'     the same, with a Rust that rustup does not manage
#
# The clone has only committed changes. The machine is a Debian 12 made by debootstrap: Python 3.11.2, gcc, make and git.
# It has nothing that was installed on this computer by hand. (Hiding the known optional parts would leave the unknown
# ones.) Rust is copied from this computer without additional targets.
#
# BARE_ROOT names the folder of the machine; the default is /var/tmp/cellstats-bare. The first run downloads 130 MB and
# takes a minute or two. Needs root, debootstrap and unshare. The exit status is the command's, or 2 if it cannot be run.
set -euo pipefail

fail() {
    echo "bare_root.sh: $*" >&2
    exit 2
}

rustup=yes
if [ "${1:-}" = --no-rustup ]; then
    rustup=no
    shift
fi
[ $# -eq 1 ] || fail "give one command, such as 'make test'"
command=$1
folder=${BARE_ROOT:-/var/tmp/cellstats-bare}
root=$folder/root
home=$root/home/user
project=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && git rev-parse --show-toplevel)

[ "$(id -u)" = 0 ] || fail "needs root, for another root directory"
for tool in debootstrap unshare chroot; do
    type -P "$tool" > /dev/null || fail "$tool is missing: apt-get install debootstrap util-linux coreutils"
done
[ $rustup = no ] || type -P rustup > /dev/null || fail "rustup is missing; --no-rustup goes without it"

mkdir -p "$folder"
exec 9> "$folder/lock"
flock --nonblock 9 || fail "$folder is in use; name another one in BARE_ROOT"

# Uses the package mirror of this computer if it is a Debian 12, else the default mirror of debootstrap.
make_root() {
    local mirror
    mirror=$(apt-get indextargets --format '$(CODENAME) $(REPO_URI)' 'Created-By: Packages' | sed -n 's/^bookworm //p' | sort -u)
    rm -rf "$root"
    debootstrap --variant=minbase --include=ca-certificates,python3,python3-venv,gcc,libc6-dev,make,git \
        bookworm "$root" ${mirror:+"$mirror"} > "$folder/debootstrap.log" 2>&1 \
        || fail "debootstrap failed, see $folder/debootstrap.log"
    chroot "$root" useradd --create-home user
    touch "$root/.made"
}

# Copies the settings by which this computer fetches packages.
copy_settings() {
    local file
    mkdir -p "$home/.cargo/bin" "$home/.config"
    for file in .cargo/config .cargo/config.toml .npmrc .config/pip; do
        [ ! -e "$HOME/$file" ] || cp -r "$HOME/$file" "$home/$(dirname "$file")/"
    done
    for file in /etc/resolv.conf /etc/hosts /etc/pip.conf "${SSL_CERT_FILE:-}"; do
        [ ! -f "$file" ] || cp -L --parents "$file" "$root"
    done
}

# Copies Rust. From a toolchain that rustup manages, only rustup may remove targets, which the command below does.
copy_rust() {
    local toolchain copy
    toolchain=$(rustc --print sysroot)
    rm -rf "$root/rust"
    if [ $rustup = yes ]; then
        copy=$home/.rustup/toolchains/$(basename "$toolchain")
        mkdir -p "$copy"
        cp "${RUSTUP_HOME:-$HOME/.rustup}/settings.toml" "$home/.rustup/"
        cp -P "${CARGO_HOME:-$HOME/.cargo}"/bin/{rustup,cargo,rustc,rustdoc,rustfmt,cargo-fmt,cargo-clippy,clippy-driver} \
            "$home/.cargo/bin/"
        tar -C "$toolchain" --exclude=./share/doc -c . | tar -C "$copy" -x
    else
        mkdir "$root/rust"
        tar -C "$toolchain" --exclude=./share/doc --exclude='./lib/rustlib/wasm*' -c . | tar -C "$root/rust" -x
    fi
}

[ -e "$root/.made" ] || make_root
# Remove everything that an earlier run has left.
find "$home" "$root/tmp" "$root/var/tmp" -mindepth 1 -delete
git clone --quiet --no-hardlinks "$project" "$home/cellstats"
copy_settings
copy_rust
chroot "$root" chown -R user:user /home/user

# A clean environment, except for the variables of the network, of CI and of incremental builds.
kept=(HOME=/home/user LC_ALL=C.UTF-8 PATH=/home/user/.cargo/bin:/rust/bin:/usr/bin:/bin)
while IFS='=' read -r -d '' name value; do
    case $name in
        *_proxy | *_PROXY | *_CERT | *_CERT_FILE | *_CERT_DIR | *_CA_BUNDLE | *_CA_CERTS | PIP_DEFAULT_TIMEOUT | CI | CARGO_HTTP_* | CARGO_INCREMENTAL)
            kept+=("$name=$value")
            ;;
    esac
done < <(env -0)

export root command
# All processes and mounts of the command end with it.
exec unshare --mount --pid --fork --kill-child bash -c '
    mount -t proc proc "$root/proc" && mount --rbind /sys "$root/sys" && mount --rbind /dev "$root/dev" || exit 2
    exec chroot --userspec=user --groups= "$root" /usr/bin/env -i "$@" bash -c "
        for target in \$(rustup target list --installed 2> /dev/null | grep -v linux-gnu); do
            rustup --quiet target remove \$target
        done
        cd ~/cellstats
        $command"
' _ "${kept[@]}"
