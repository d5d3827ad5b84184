#!/bin/sh
# usage: code.sh OUT
# Runs in the build stage: generates code, builds the site, and copies the code of the images app and dealer to OUT/<image>, without tests.
set -eu
out=$1
node scripts/generate.ts
(cd web && ../node_modules/.bin/vite build --logLevel warn)

mkdir -p "$out/app/services" "$out/app/web" "$out/app/scripts/up" "$out/app/scripts/demo" "$out/app/scripts/backup" "$out/app/services/runner" "$out/dealer/services/runner"
cp -r proto gateway "$out/app/"
for part in lib auth leaderboard live-data pool simulation submission; do cp -r "services/$part" "$out/app/services/"; done
cp -r services/runner/bots "$out/app/services/runner/"
cp -r web/dist "$out/app/web/"
# scripts/source-archive/main.ts creates the source archive before the build, because the build has neither git nor all files.
[ ! -d .source ] || cp -r .source "$out/app/web/dist/source"
# services/kit/build.ts creates the kit before the build, because the build has no Python tools.
[ ! -d .kit ] || { mkdir -p "$out/app/web/dist/kit" && cp .kit/*.whl .kit/*.json "$out/app/web/dist/kit/"; }
cp -r scripts/migrate "$out/app/scripts/"
cp scripts/up/database.ts scripts/up/database-owner.ts scripts/up/secrets.ts "$out/app/scripts/up/"
# For the chart's backup Jobs.
cp scripts/backup/base-*.ts scripts/backup/manifest.ts scripts/backup/recovery.ts scripts/backup/restore-base.ts "$out/app/scripts/backup/"

cp -r proto "$out/dealer/"
cp -r services/lib "$out/dealer/services/"
cp -r services/runner/package.json services/runner/src "$out/dealer/services/runner/"

find "$out" -name node_modules -prune -exec rm -rf {} +
find "$out" -path "$out/app/web" -prune -o \
  \( -name '*.test.ts' -o -name e2e -o -name test -o -name tests -o -name fixtures \) -prune -exec rm -rf {} +
