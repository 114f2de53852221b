# Sourced by ./play, ./test and what else stands beside them: `need PACKAGE...`
# installs what is missing of these Debian or Ubuntu packages, as root or by sudo;
# else it names them.

# A first build is quicker by a sixth without the copies that make small changes
# quick, and takes half the disk. Whoever changes something after it gets them: from
# their second change on, a build takes ten seconds or so.
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
        return 0 # Not Debian's family: the program itself says what it lacks.
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
            echo "Some system packages are missing, and this is not root. Please install:" >&2
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

# What it takes to open a window; lavapipe stands in where there is no GPU.
window_packages=(
    libvulkan1 mesa-vulkan-drivers libx11-6 libx11-xcb1 libxcursor1 libxi6
    libxrandr2 libxkbcommon-x11-0
    # Sound and gamepads are linked when the game is built.
    pkg-config libasound2-dev libudev-dev
)
