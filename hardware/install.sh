#!/bin/sh
# Install hexboard on a Raspberry Pi (Raspberry Pi OS or Debian, bookworm or trixie), or bring it up
# to date. It says what it will do and asks once; given again, it does what is not done yet.
#
#   sh hardware/install.sh                      from a checkout, for the user who gives it
#   sh install.sh hexboard-0.1.0-py3-none-any.whl
#
#   --dry-run        only say what would be done         --yes      do not ask
#   --camera         also what a camera over the board needs
#   --hostname NAME  call this computer so: phones then find NAME.local
#   --no-service     do not start it whenever the Pi starts
#   --venv FOLDER    where it goes (~/hexboard)
#   --uninstall      take away what this brought; recordings, journals and settings stay
set -eu

say() { printf '%s\n' "$*"; }
fail() { say "$*" >&2; exit 1; }
usage() { sed -n '2,/^set -eu/{/^set -eu/d;s/^#\{1,\} \{0,1\}//;p;}' "$0"; exit "${1:-0}"; }

dry=false yes=false camera=false service=true uninstall=false name='' venv='' source=''
while [ $# -gt 0 ]; do
    case $1 in
        --dry-run) dry=true ;;
        --yes) yes=true ;;
        --camera) camera=true ;;
        --no-service) service=false ;;
        --uninstall) uninstall=true ;;
        --hostname) name=${2:?--hostname wants a name}; shift ;;
        --venv) venv=${2:?--venv wants a folder}; shift ;;
        -h | --help) usage ;;
        -*) say "There is no option $1." >&2; usage 2 >&2 ;;
        *) source=$1 ;;
    esac
    shift
done

here=$(cd "$(dirname "$0")" && pwd)
user=$(id -un)
[ "$user" = root ] && user=${SUDO_USER:-root}
home=$(getent passwd "$user" | cut -d: -f6)
venv=${venv:-$home/hexboard}
udev=/etc/udev/rules.d/99-hexboard.rules
unit=$home/.config/systemd/user/hexboard.service
wanted=$home/.config/systemd/user/default.target.wants/hexboard.service
rule='SUBSYSTEM=="tty", ATTRS{idVendor}=="2e8a", SYMLINK+="hexboard hexboard-$attr{serial}", GROUP="dialout", MODE="0660"'

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }
as_user() { if [ "$(id -un)" = "$user" ]; then "$@"; else su "$user" -s /bin/sh -c '"$0" "$@"' -- "$@"; fi; }
lives() { [ -d /run/systemd/system ]; }
has_package() { dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q 'ok installed'; }
offered() { apt-cache policy "$1" 2>/dev/null | grep -q 'Candidate: [0-9]'; }
in_group() { id -nG "$user" | tr ' ' '\n' | grep -qx "$1"; }

# ------------------------------------------------------------------ what is to be done, in order

plan=''
add() { plan="$plan$1
"; say "  - $2"; }

plan_install() {
    command -v apt-get >/dev/null || fail "This is for Raspberry Pi OS and Debian: there is no apt-get here. Elsewhere: pip install 'hexboard[firmware]'."
    if [ -z "$source" ]; then
        [ -f "$here/../pyproject.toml" ] || fail "Which hexboard? Name the wheel: sh install.sh hexboard-….whl"
        source=$(cd "$here/.." && pwd)
    fi
    [ -e "$source" ] || fail "There is no $source."
    source=$(readlink -f "$source")
    stands=$venv
    if [ -d "$venv.before" ]; then
        stands=$venv.before
        add restore "put back the hexboard of before in $venv: an update was cut off"
    fi
    ls -d "$stands"/lib/python3*/site-packages/cv2 >/dev/null 2>&1 && camera=true # it has had them
    extras=pi,firmware
    $camera && extras=$extras,vision

    missing=''
    for package in python3 python3-venv python3-lgpio gcc python3-dev libc6-dev $($camera && echo rpicam-apps); do
        if ! has_package "$package"; then
            if offered "$package"; then missing="$missing $package"
            else case $package in
                rpicam-apps) say "  (no rpicam-apps offered here: only USB cameras will do)" ;;
                python3-lgpio) say "  (no python3-lgpio offered here, as by Raspberry Pi OS: the Pico will do, pins of the Pi itself may not)" ;;
                *) missing="$missing $package" ;;
            esac; fi
        fi
    done
    [ -z "$missing" ] || add packages "install packages of the system:$missing"
    if ! grep -qs '^include-system-site-packages = true' "$stands/pyvenv.cfg"; then
        add venv "make a Python environment in $venv, which sees the system's packages (lgpio)"
    fi
    if [ -x "$stands/bin/hexboard" ]; then
        add update "bring hexboard[$extras] in $venv up to date from $source; where that does not come up, the one of today stays"
        [ ! -e "$unit" ] || plan_unit
        [ ! -e "$wanted" ] || add restart "start hexboard anew"
    else
        add pip "install hexboard[$extras] from $source into it"
    fi
    [ -e "$home/.local/bin/hexboard" ] || add link "make the command hexboard known: $home/.local/bin/hexboard"
    groups=''
    for group in dialout gpio spi video; do
        if getent group $group >/dev/null && ! in_group $group; then groups="$groups,$group"; fi
    done
    groups=${groups#,}
    [ -z "$groups" ] || add groups "put $user into the groups $groups (the Pico, pins, camera)"
    [ "$(cat $udev 2>/dev/null)" = "$rule" ] || add udev "give the Pico the name /dev/hexboard ($udev)"
    if [ -n "$name" ] && [ "$(cat /etc/hostname 2>/dev/null)" != "$name" ]; then
        add hostname "call this computer $name"
    fi
    $service && [ ! -e "$wanted" ] && add service "start hexboard whenever the Pi starts, as $user ($unit)"
    return 0
}

plan_unit() { # a service that is there, brought up to date; one that people changed is theirs
    has=$(cat "$unit")
    brought=$(cat "$stands"/lib/python3*/site-packages/hexboard/shipped/hardware/hexboard.service 2>/dev/null | for_here)
    new=$(new_unit | for_here)
    if [ -z "$new" ] || [ "$has" = "$new" ]; then return 0; fi
    if [ "$has" = "$brought" ]; then
        add unit "bring its service up to date ($unit)"
    else
        say "  ($unit is not as hexboard brought it, and stays as it is: compare it with the new hardware/hexboard.service."
        say "  What you want otherwise lasts over updates where you say it to: systemctl --user edit hexboard)"
    fi
}
new_unit() {
    if [ -d "$source" ]; then cat "$source/hardware/hexboard.service"
    else python3 -c 'import sys, zipfile; print(zipfile.ZipFile(sys.argv[1]).read("hexboard/shipped/hardware/hexboard.service").decode())' "$source"; fi 2>/dev/null
}
for_here() { sed "s#^ExecStart=.*#ExecStart=$venv/bin/hexboard run#"; }

plan_uninstall() {
    [ -e "$unit" ] && add unservice "stop hexboard and start it no more"
    [ -L "$home/.local/bin/hexboard" ] && add unlink "remove $home/.local/bin/hexboard"
    [ -e "$venv/bin/hexboard" ] && add unvenv "remove $venv"
    [ -e $udev ] && add unudev "remove $udev"
    say "Recordings, journals and settings stay (~/.local/state/hexboard, ~/.config/hexboard); so do"
    say "groups and packages of the system."
}

# -------------------------------------------------------------------------------- how it is done

do_packages() {
    as_root apt-get update -q
    # shellcheck disable=SC2086
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing
}
do_venv() { as_user python3 -m venv --system-site-packages "$venv"; }
do_pip() {
    what="hexboard[$extras] @ file://$source"
    pip="$venv/bin/python -m pip install --quiet --disable-pip-version-check"
    # shellcheck disable=SC2086
    libraries && # hexboard anew: another build of the same version, too
        as_user $pip --force-reinstall --no-deps --no-build-isolation "$what" &&
        as_user "$venv/bin/hexboard" --version &&
        comes_up
}
# Libraries come in the versions that hexboard was tested with, and on 64 bit only as the very files
# whose hashes stand in the lock. On 32 bit the system takes wheels that piwheels.org built, which have
# other hashes: there it is the versions alone, as far as they are to be had.
# shellcheck disable=SC2086
libraries() {
    locks=$(as_user mktemp -d)
    cat "$parts/lock.txt" $($camera && echo "$parts/lock-camera.txt") >"$locks/all"
    sed -n '/^setuptools==/,/[^\\]$/p' "$locks/all" >"$locks/builds" # hexboard, and what is no wheel
    sed 's/ *\\$//; /^ *--hash/d' "$locks/all" >"$locks/versions"
    came=0
    case $(dpkg --print-architecture) in
        arm64 | amd64)
            as_user $pip --require-hashes -r "$locks/builds" &&
                as_user $pip --require-hashes --no-build-isolation -r "$locks/all" ;;
        *)
            as_user $pip --require-hashes -r "$locks/builds" &&
                { as_user $pip --constraint "$locks/versions" --upgrade "$what" || untested; } ;;
    esac || came=1
    [ $came = 1 ] || as_user cp "$locks/all" "$venv/lock.txt" # hexboard doctor compares with it
    rm -rf "$locks"
    return $came
}
# shellcheck disable=SC2086
untested() {
    say "Not all versions of lock.txt are to be had here: others are taken, which nobody has tested."
    as_user $pip --upgrade "$what"
}
comes_up() { # it plays two turns on a simulated board, and serves the page of one; with nobody's settings
    tried=$(as_user mktemp -d)
    as_user "$venv/bin/hexboard" --home "$tried/home" run --simulate --fast --turns 2 --state "$tried" >/dev/null && serves
    came=$?
    rm -rf "$tried"
    return $came
}
serves() {
    # shellcheck disable=SC2016 # su stands between: its own process is not the board's
    as_user sh -c 'echo $$ >"$0"; exec "$@"' "$tried/pid" \
        "$venv/bin/hexboard" --home "$tried/home" run --simulate --port 0 --state "$tried/page" >"$tried/said" 2>&1 &
    board=$! waited=0
    while [ $waited -lt 60 ] && kill -0 $board && ! linked; do sleep 1; waited=$((waited + 1)); done
    linked && up=0 || { up=1; cat "$tried/said"; }
    kill "$(cat "$tried/pid")" || true
    wait $board || true
    return $up
} 2>/dev/null
linked() { grep -q 'http://' "$tried/said"; }
has_room() { # for a copy of what is there, and 100 MB for what the new one brings
    wants=$(($(du -sk "$venv" | cut -f1) / 1000 + 100))
    free=$(($(df -Pk "$(dirname "$venv")" | awk 'END { print $4 }') / 1000))
    [ "$free" -ge $wants ] || fail "There is too little room for an update beside $venv: $free MB are free, $wants are wanted. hexboard stays as it is."
}
# The power may go at any step: what is called .before is whole, and goes back whenever it is found.
do_update() {
    [ ! -d "$venv.before" ] || do_restore
    rm -rf "$venv.copying"
    has_room
    if ! as_user cp -a "$venv" "$venv.copying"; then
        rm -rf "$venv.copying"
        fail "$venv could not be copied, to be there if the new hexboard does not come up: it stays as it is."
    fi
    sync
    mv "$venv.copying" "$venv.before"
    if do_pip; then
        sync
        mv "$venv.before" "$venv.copying"
        rm -rf "$venv.copying"
    else
        do_restore
        fail "The new hexboard does not come up here: the one before is back in $venv, and nothing else was changed."
    fi
}
do_restore() {
    rm -rf "$venv"
    mv "$venv.before" "$venv"
}
do_restart() {
    if lives; then as_user env XDG_RUNTIME_DIR="/run/user/$(id -u "$user")" systemctl --user restart hexboard; fi
}
do_link() {
    as_user mkdir -p "$home/.local/bin"
    as_user ln -sfn "$venv/bin/hexboard" "$home/.local/bin/hexboard"
}
do_groups() { as_root usermod -aG "$groups" "$user"; }
do_udev() {
    as_root mkdir -p /etc/udev/rules.d
    printf '%s\n' "$rule" | as_root tee $udev >/dev/null
    if lives; then as_root udevadm control --reload && as_root udevadm trigger --subsystem-match=tty; fi
}
do_hostname() {
    if lives; then as_root hostnamectl set-hostname "$name"; else printf '%s\n' "$name" | as_root tee /etc/hostname >/dev/null; fi
    [ ! -e /etc/hosts ] || as_root sed -i "s/^127\.0\.1\.1.*/127.0.1.1\t$name/" /etc/hosts
}
do_service() {
    as_user mkdir -p "$(dirname "$wanted")"
    for_here <"$parts/hexboard.service" | as_user tee "$unit" >/dev/null
    as_user ln -sf "$unit" "$wanted"
    as_root mkdir -p /var/lib/systemd/linger
    as_root touch "/var/lib/systemd/linger/$user"
    if lives; then
        as_root loginctl enable-linger "$user"
        as_user env XDG_RUNTIME_DIR="/run/user/$(id -u "$user")" systemctl --user daemon-reload
        as_user env XDG_RUNTIME_DIR="/run/user/$(id -u "$user")" systemctl --user start hexboard || true
    fi
}
do_unit() {
    printf '%s\n' "$new" | as_user tee "$unit" >/dev/null
    if lives; then as_user env XDG_RUNTIME_DIR="/run/user/$(id -u "$user")" systemctl --user daemon-reload; fi
}
do_unservice() {
    if lives; then as_user env XDG_RUNTIME_DIR="/run/user/$(id -u "$user")" systemctl --user stop hexboard || true; fi
    rm -f "$unit" "$wanted"
}
do_unlink() { rm -f "$home/.local/bin/hexboard"; }
do_unvenv() { rm -rf "$venv" "$venv.before" "$venv.copying"; }
do_unudev() { as_root rm -f $udev; }

if $uninstall; then
    say "This would be taken away:"
    plan_uninstall
else
    say "For $user on $(. /etc/os-release && echo "$PRETTY_NAME"), $(uname -m). This would be done:"
    plan_install
fi
$dry && exit 0
[ -n "$plan" ] || exit 0
if ! $yes; then
    printf 'Go on? [y/N] '
    read -r answer || answer=''
    case $answer in y | Y | yes | j | J | ja) ;; *) fail "Nothing was done." ;; esac
fi
parts=${source:-.}/hardware # what travels with the hexboard that is installed: its lock, its service
if [ -f "$source" ]; then
    unpacked=$(as_user mktemp -d)
    trap 'rm -rf "$unpacked"' EXIT
    as_user python3 -c 'import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])' "$source" "$unpacked"
    parts=$unpacked/hexboard/shipped/hardware
fi
for step in $plan; do
    say "== $step"
    "do_$step"
done
if ! $uninstall; then
    say ""
    say "Done. hexboard is $venv/bin/hexboard."
    case " $plan " in *groups*) say "Restart the Pi: until then neither you nor hexboard's service is in those groups." ;; esac
    say "Next: put the firmware on the Pico, hexboard firmware install --help"
fi
