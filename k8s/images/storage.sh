# To be sourced. Defines build_tool: buildah with its storage in the user's cache.
image_cache=${XDG_CACHE_HOME:-$HOME/.cache}/husky-holdem/images
# Creation time of images and their files in seconds since 1970. Fixed, so that builds are reproducible.
image_time=0
mkdir -p "$image_cache/policy"
# No images are pulled, so no signature policy is needed.
[ -f "$image_cache/policy/policy.json" ] || echo '{"default": [{"type": "insecureAcceptAnything"}]}' >"$image_cache/policy/policy.json"
build_tool() {
  local command=$1
  shift
  case $command in
    from | bud | commit | push) set -- --signature-policy "$image_cache/policy/policy.json" "$@" ;;
  esac
  nice -n 5 buildah --root "$image_cache/storage" --runroot /run/husky-buildah --storage-driver overlay "$command" "$@"
}
image_exists() { build_tool inspect --type image "$1" >/dev/null 2>&1; }
