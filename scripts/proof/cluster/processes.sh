# To be sourced, with this folder in $here. Loads the settings. Functions that start and stop the cluster's processes; they act only on
# the process ids in $STATE/pid.
# shellcheck source=settings.env
. "$here/settings.env"

kubectl() { "$BIN/kubectl" --kubeconfig "$KUBECONFIG_FILE" "$@"; }

# Moves this shell and its children to the control group $SYSTEM_CGROUP, which weighs as much as all pods together. On a real node
# system.slice is such a group, and the control plane has machines of its own. Outside of it each thread would weigh half as much as all pods.
join_system_cgroup() {
  if [ -f /sys/fs/cgroup/cpu/cgroup.procs ]; then
    mkdir -p "/sys/fs/cgroup/cpu/$SYSTEM_CGROUP"
    echo 2048 >"/sys/fs/cgroup/cpu/$SYSTEM_CGROUP/cpu.shares"
    echo "$BASHPID" >"/sys/fs/cgroup/cpu/$SYSTEM_CGROUP/cgroup.procs"
  elif [ -f /sys/fs/cgroup/cgroup.procs ]; then
    # With version 2 a group has the weight 100 by default, and the pods of two cores 79.
    mkdir -p "/sys/fs/cgroup/$SYSTEM_CGROUP"
    echo "$BASHPID" >"/sys/fs/cgroup/$SYSTEM_CGROUP/cgroup.procs"
  fi
}

# Starts a process in the background. usage: spawn NAME COMMAND...
spawn() {
  local name=$1
  shift
  (
    join_system_cgroup
    exec setsid "$@" >>"$STATE/log/$name.log" 2>&1 </dev/null
  ) &
  echo $! >"$STATE/pid/$name"
}

alive() { [ -f "$STATE/pid/$1" ] && kill -0 "$(cat "$STATE/pid/$1")" 2>/dev/null; }

# Stops processes and waits until they have ended: SIGTERM, after 20 s SIGKILL. usage: terminate NAME...
terminate() {
  local name try
  for name in "$@"; do alive "$name" && kill "$(cat "$STATE/pid/$name")"; done
  for name in "$@"; do
    for try in $(seq 250); do
      alive "$name" || break
      [ "$try" = 200 ] && kill -9 "$(cat "$STATE/pid/$name")"
      sleep 0.1
    done
    rm -f "$STATE/pid/$name"
  done
}

# Repeats a command until it succeeds; prints the sentence and fails after the time. usage: until_true SECONDS SENTENCE COMMAND...
until_true() {
  local seconds=$1 sentence=$2 try
  shift 2
  for try in $(seq $((seconds * 4))); do
    "$@" >/dev/null 2>&1 && return 0
    sleep 0.25
  done
  echo "$sentence (after $seconds s); logs are in $STATE/log" >&2
  return 1
}

start_apiserver() {
  spawn apiserver "$BIN/kube-apiserver" --etcd-servers=http://127.0.0.1:12379 --bind-address="$NODE_IP" \
    --advertise-address="$NODE_IP" --service-cluster-ip-range="$SERVICE_RANGE" \
    --tls-cert-file="$STATE/pki/apiserver.crt" --tls-private-key-file="$STATE/pki/apiserver.key" \
    --client-ca-file="$STATE/pki/ca.crt" --service-account-issuer=https://kubernetes.default.svc \
    --service-account-key-file="$STATE/pki/sa.key" --service-account-signing-key-file="$STATE/pki/sa.key" \
    --authorization-mode=RBAC --kubelet-client-certificate="$STATE/pki/admin.crt" \
    --kubelet-client-key="$STATE/pki/admin.key" --kubelet-preferred-address-types=InternalIP
}

# Issues a certificate with the cluster's CA. usage: certificate NAME SUBJECT
certificate() {
  local name=$1 subject=$2 names
  names="subjectAltName=IP:127.0.0.1,IP:$NODE_IP,IP:$SERVICE_FIRST,DNS:localhost,DNS:kubernetes,DNS:kubernetes.default,DNS:kubernetes.default.svc"
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout "$STATE/pki/$name.key" \
    -out "$STATE/pki/$name.csr" -subj "$subject" 2>/dev/null
  openssl x509 -req -in "$STATE/pki/$name.csr" -CA "$STATE/pki/ca.crt" -CAkey "$STATE/pki/ca.key" -CAcreateserial \
    -out "$STATE/pki/$name.crt" -days 365 -extfile <(echo "$names") 2>/dev/null
}

start_etcd() {
  spawn etcd "$BIN/etcd" --data-dir "$DATA/etcd" --listen-client-urls http://127.0.0.1:12379 \
    --advertise-client-urls http://127.0.0.1:12379 --listen-peer-urls http://127.0.0.1:12380 --unsafe-no-fsync
}
