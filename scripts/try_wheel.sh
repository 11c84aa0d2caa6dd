#!/bin/sh
# Build the wheel, install it with the locked run-time requirements alone, and ask it a question.
set -eu
python=${PYTHON:-python3}
case $python in */*) python=$(cd "$(dirname "$python")" && pwd)/$(basename "$python") ;; esac
root=$(cd "$(dirname "$0")/.." && pwd)
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

cd "$root"
"$python" -m hatchling build -t wheel -d "$place" >/dev/null
"$python" -m venv "$place/env"
"$place/env/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/run.txt
"$place/env/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps "$place"/*.whl

mkdir "$place/docs"
printf '# Pump manual\n\nError E42 means that the inlet valve is blocked.\n' >"$place/docs/pump.md"
cd "$place"
export CACHE_DIR="$place/cache" BASE_DIR="$place/docs"
env/bin/minirag-mcp --version
env/bin/minirag-mcp sync
env/bin/minirag-mcp query "what does E42 mean" | grep -q "inlet valve is blocked"
echo "The wheel installs alone and answers."
