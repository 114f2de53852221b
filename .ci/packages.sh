# Sourced by ./play, ./test and ./package. `need PACKAGE...` installs missing Debian or
# Ubuntu packages as root or with sudo; without either it names them.

# Without incremental compilation the first build is a sixth faster and takes half the
# disk space. It is turned on at the first build after a change; from the second change
# on, a build takes about ten seconds.
incremental() {
    local debug=${CARGO_TARGET_DIR:-target}/debug
    compgen -G "$debug/incremental/fivefoot*" >/dev/null && return
    [ -e "$debug/fivefoot" ] || return 1
    [ -n "$(find Cargo.toml Cargo.lock src assets levels -newer "$debug/fivefoot" -print -quit)" ]
}
if [ -z "${CARGO_INCREMENTAL:-}" ]; then
    if incremental; then CARGO_INCREMENTAL=1; else CARGO_INCREMENTAL=0; fi
fi
export CARGO_INCREMENTAL

need() {
    local missing=() package
    if ! command -v dpkg-query >/dev/null; then
        return 0 # Not Debian or Ubuntu: the program itself names what is missing.
    fi
    for package in "$@"; do
        case "$(dpkg-query -W -f='${Status}' "$package" 2>/dev/null)" in
            "install ok installed") ;;
            *) missing+=("$package") ;;
        esac
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    local become=()
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null; then
            echo "System packages are missing, and you are neither root nor able to use sudo. Install:" >&2
            echo "    apt-get install ${missing[*]}" >&2
            return 1
        fi
        become=(sudo)
    fi
    echo "Installing system packages: ${missing[*]}"
    "${become[@]}" apt-get update -q </dev/null &&
        "${become[@]}" env DEBIAN_FRONTEND=noninteractive \
            apt-get install -y -q --no-install-recommends "${missing[@]}" </dev/null || {
        echo "These packages could not be installed: ${missing[*]}" >&2
        return 1
    }
}

need_cargo() {
    command -v cargo >/dev/null && return 0
    echo "cargo is missing: install a Rust toolchain, 1.95 or later (see rustup.rs)." >&2
    return 1
}

# Whether a window could not be opened here. Only on Linux and other systems with X11 or
# Wayland can that be told beforehand.
no_display() {
    local socket number
    case "$(uname -s)" in
        Linux | *BSD) ;;
        *) return 1 ;;
    esac
    if [ -n "${WAYLAND_DISPLAY:-}" ]; then
        socket=$WAYLAND_DISPLAY
        [ "${socket#/}" != "$socket" ] || socket=${XDG_RUNTIME_DIR:-/run/user/$(id -u)}/$socket
        [ ! -S "$socket" ] || return 1
    fi
    # `:1` and `:1.0` are on this machine; of others only X itself knows.
    case "${DISPLAY:-}" in
        "") return 0 ;;
        :*) number=${DISPLAY#:} ;;
        *) return 1 ;;
    esac
    socket=/tmp/.X11-unix/X${number%%.*}
    [ ! -S "$socket" ] && ! grep -qsF "@$socket" /proc/net/unix
}

# What a window needs; lavapipe renders in software where there is no GPU.
window_packages=(
    libvulkan1 mesa-vulkan-drivers libx11-6 libx11-xcb1 libxcursor1 libxi6
    libxrandr2 libxkbcommon-x11-0
    # To build sound and gamepad support.
    pkg-config libasound2-dev libudev-dev
)
