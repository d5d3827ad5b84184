#!/usr/bin/env bash
# Installs the Debian packages that the test cluster and its images need, if they are missing.
set -euo pipefail
required='containerd runc containernetworking-plugins iptables nftables conntrack ethtool socat buildah debootstrap'
missing=
for package in $required; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done
[ -z "$missing" ] && exit 0
echo "installing the Debian packages$missing" >&2
log=$(mktemp)
# RUNLEVEL=1 prevents the packages from starting services.
# shellcheck disable=SC2086
if ! RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing >"$log" 2>&1; then
  apt-get update >"$log" 2>&1 && RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing >"$log" 2>&1 ||
    { tail -n 5 "$log" >&2; exit 1; }
fi
rm -f "$log"
