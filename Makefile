# Targets are listed by `make help`.
SHELL := /bin/sh
.DEFAULT_GOAL := help
NODE := node_modules/.bin/node
PYTHON3 := $(if $(PYTHON),$(PYTHON),python3)

.PHONY: help install up source test test-api test-web screens check format demo demo-batch bench bench-lists bench-rest bench-logins bench-streams bench-watchers bench-fair-time clean fuzz-api attacks attacks-host attacks-means

help: ## List every target with one line
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "%-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

node_modules/.installed: package-lock.json package.json
	@command -v npm >/dev/null || { echo 'npm is needed (Node.js 20 or newer): install it first.' >&2; exit 1; }
	npm ci --no-fund --no-audit --loglevel=error
	@touch $@

.tools/.installed: scripts/python/tools.txt scripts/python/checker.txt
	@sh scripts/install-python-tools.sh $(PYTHON3)
	@touch $@

install: node_modules/.installed .tools/.installed ## Install what the project needs (npm packages, NATS, uv) into this folder
	@$(NODE) scripts/generate.ts

up: install ## Start everything on http://localhost:8080 and stay in the foreground (PORT, DATA_DIR, ADMIN_USERNAME, ADMIN_PASSWORD, TLS=1)
	@$(NODE) scripts/build-web.ts
	@exec $(NODE) scripts/up/main.ts

test: install ## Lint, types, unit and service tests of every language (last line: N passed, N failed)
	@$(NODE) scripts/test.ts

check: install ## Lint, links of documents, types
	@$(NODE) scripts/test.ts lint links types

format: install ## Format and fix what can be fixed
	@node_modules/.bin/biome check --write .

.PHONY: bench-batch
bench-batch: install ## Processor time by part, share of the bots and hands a second of a batch (MODELS, 8; MATCHES; BEFORE=git ref: in turns with that version)
	@$(NODE) scripts/bench/batch/main.ts

.PHONY: bench-intake
bench-intake: install ## Processor time to verify and store 28 recorded matches (MATCHES, CHUNK_HANDS, PROFILE=folder)
	@$(NODE) scripts/bench/framed.ts 'Verifying and storing matches' node_modules/.bin/vitest run --config vitest.bench.config.ts services/live-data/bench/intake.bench.ts

.PHONY: bench-export
bench-export: install ## Export 100 matches of 1,000 hands with the real service (MATCHES, EXPORT=file.zip), then verify the archive
	@EXPORT=$${EXPORT:-$(CURDIR)/bench-export.zip} $(NODE) scripts/bench/framed.ts Exports node_modules/.bin/vitest run --config vitest.bench.config.ts services/live-data/bench/export.bench.ts
	@$(NODE) scripts/verify-export/main.ts $${EXPORT:-$(CURDIR)/bench-export.zip}

.PHONY: verify
verify: install ## Verify an export of matches without a network: checksums, commitments, every hand re-dealt (EXPORT=file.zip, KEY=key of the site)
	@$(NODE) scripts/verify-export/main.ts "$(EXPORT)" $(KEY)

demo: install ## Six bots play a 1,000-hand match, published and ranked, on the running platform or on a temporary one (KEEP=1: keep it running)
	@$(NODE) scripts/demo/main.ts

.PHONY: trace
trace: install ## Play a match on a platform of its own and draw its trace from the click to the leaderboard (HANDS, OUT; ZIPKIN=http://localhost:9411 sends it to Zipkin)
	@$(NODE) scripts/traces/main.ts

demo-batch: install ## On the running platform: 8 bots play 28 matches, published, removed and published again, results recomputed from the hands
	@$(NODE) scripts/demo/batch.ts

.PHONY: seed-large
seed-large: install ## Add matches to the database of the running platform (HANDS=2000000, DATA_DIR or DATABASE_URL), for tests with much data
	@$(NODE) scripts/seed-large/main.ts

bench-lists: install ## Every list call against 10,000 users, 100,000 jobs and 2,000,000 games in a database of its own
	@$(NODE) scripts/bench/lists.ts

.PHONY: bench-growth
bench-growth: install ## List calls and a match's acceptance with 20 k and 20 M hands in turn, ratio of processor time (SMALL, LARGE, ROUNDS, MATCHES, LARGE_DATA_DIR)
	@$(NODE) scripts/bench/growth.ts

bench-rest: install ## Requests a second, latency and processor time of REST calls, page views, watchers (BEFORE=<git ref> in turns, ONLY, RUN_SECONDS, ROUNDS)
	@$(NODE) scripts/build-web.ts
	@$(NODE) scripts/bench/rest.ts

bench-logins: install ## How much a flood of 10,000 sign-ins a minute slows everybody else (FLOOD_SECONDS, FLOOD_PER_MINUTE)
	@$(NODE) scripts/build-web.ts
	@$(NODE) scripts/bench/login-flood.ts

bench-streams: install ## Cost of 600 idle event streams of one address for gateway, live-data and other readers (STREAMS)
	@$(NODE) scripts/bench/idle-streams.ts

bench-watchers: install ## How much 200 watchers of one public match slow it, memory of a watcher; each gets each hand once (WATCHERS, MATCHES)
	@$(NODE) scripts/bench/watchers.ts

.PHONY: bench-dealer
bench-dealer: install ## Processor time of dealer, seats and host in matches of thinking bots (ROOT=another checkout, ARGS=--profile)
	@$(NODE) services/runner/bench/dealer-cost.ts $(if $(ROOT),--root $(ROOT)) $(ARGS)

bench-fair-time: install ## Whether honest bots get more time-out verdicts on a busy machine than on a quiet one (MATCHES)
	@$(NODE) scripts/bench/fair-time.ts

.PHONY: bench-fleet
bench-fleet: install ## Claims and matches per second of synthetic runners, cost of idle ones (IDLE, RUNNERS, REPLICAS, MATCHES, HANDS)
	@$(NODE) scripts/bench/fleet/main.ts

.PHONY: bench-standings
bench-standings: install ## Coverage and width of the intervals of standings, false differences, gain of the estimators (REPETITIONS, WORLD, SIZES, FORMER)
	@$(NODE) scripts/bench/framed.ts 'Intervals of standings' $(NODE) services/lib/estimate/bench/standings.ts
	@$(NODE) scripts/bench/framed.ts 'Stopping rule' $(NODE) services/lib/estimate/bench/sequential.ts
	@$(NODE) scripts/bench/framed.ts 'Estimators of standings' $(NODE) services/lib/estimate/bench/estimators.ts

bench: install ## Measure hands per second, the engine and bytes per hand, compared with other engines and with limits
	@$(NODE) scripts/bench/main.ts

.PHONY: sbom lock-python
sbom: install ## Write a software bill of materials (CycloneDX) of npm's and Python's packages into dist/sbom/
	@$(NODE) scripts/supply/sbom.ts

lock-python: install ## Pin the Python packages of scripts/python/*.in with their hashes
	@sh scripts/python/lock.sh

.PHONY: kit
kit: install ## Build the local kit for participants into .kit/: a wheel with dealer, seat host and example bots
	@$(NODE) services/kit/build.ts

.PHONY: play
play: kit ## Play a match of bots on this machine with the local kit (BOTS="a.py house", HANDS, SEED, ARGS="--out results")
	@sh scripts/install-kit.sh
	@.tools/kit/bin/husky play $(or $(BOTS),house tight-aggressive calling-station position-aware pressure random-legal) --hands $(or $(HANDS),1000) $(if $(SEED),--seed $(SEED)) $(ARGS)

.PHONY: backup restore verify-backup
backup: install ## Copy everything of DATA_DIR into one archive, also while the platform runs (BACKUP=file.tar.zst)
	@$(NODE) scripts/backup/main.ts backup

restore: install ## Restore an archive of make backup into an empty DATA_DIR (BACKUP=file.tar.zst)
	@$(NODE) scripts/backup/main.ts restore

verify-backup: install ## Compare every file of an archive of make backup with its manifest (BACKUP=file.tar.zst)
	@$(NODE) scripts/backup/main.ts verify

.PHONY: parked-messages
parked-messages: install ## List the events that a service of the platform on DATA_DIR could not handle (REPLAY=id,... or all: handle them again)
	@$(NODE) scripts/parked-messages/main.ts

source: node_modules/.installed ## Write the source archive that an image serves to .source/ (before docker build)
	@$(NODE) scripts/source-archive/main.ts

.PHONY: fuzz-engine
fuzz-engine: install ## Compare the engine with pokerkit on random hands, and with eval7 on seven cards (HANDS, SEED, EVAL7_HANDS; HAND=SEED:NUMBER shows one)
	@$(NODE) scripts/bench/framed.ts 'The engine against pokerkit and eval7' $(NODE) scripts/fuzz-engine/main.ts

.PHONY: mutation
mutation: install ## Mutate the engine, records, play and job rules; at least 90 % of mutants must be killed (MODULES, FILES, CONCURRENCY; tens of minutes)
	@nice -n 19 $(NODE) scripts/mutation/main.ts

clean: ## Remove what was installed and built, keep .data
	rm -rf node_modules .tools .source .kit web/dist services/*/src/generated services/lib/contracts/types

test-api: install ## Test the REST contract against a real, fresh platform
	@$(NODE) scripts/build-web.ts
	@$(NODE) scripts/test.ts api

test-web: install ## Test the site in a real browser against a real, fresh platform
	@$(NODE) scripts/build-web.ts
	@$(NODE) scripts/test.ts web

attacks: install ## Play every attack of services/runner/attacks on a platform of its own (CASES=group or name); test-results/attacks.md has the results
	@$(NODE) scripts/build-web.ts
	@$(NODE) scripts/attacks/main.ts

attacks-host: install ## Play the attacks that need no upload, on a seat host alone (CASES)
	@$(NODE) scripts/attacks/host-only.ts

attacks-means: install ## Play the attacks without each means of the sandbox in turn, and list which succeed (MEANS, CASES)
	@$(NODE) scripts/attacks/means.ts

.PHONY: bench-web lighthouse
bench-web: install ## Print script bytes, largest paint and longest tasks of the site's pages at 4x CPU slow-down
	@$(NODE) scripts/build-web.ts
	@$(NODE) node_modules/.bin/vitest run --config vitest.web.config.ts web/e2e/performance.test.ts

lighthouse: install ## Run Lighthouse with its mobile preset on home, games, a match and a replay (part of test-web)
	@$(NODE) scripts/build-web.ts
	@LIGHTHOUSE_GOAL=$${LIGHTHOUSE_GOAL:-90} $(NODE) node_modules/.bin/vitest run --config vitest.web.config.ts web/e2e/lighthouse.test.ts

.PHONY: chaos chaos-ci
chaos: install ## Cause seeded faults in a platform of its own under load; nothing may be lost, doubled or stuck (SEED, FAULTS, KINDS, ONLY, SHRINK_RUNS, K6=0)
	@$(NODE) scripts/build-web.ts
	@$(NODE) scripts/chaos/main.ts

chaos-ci: install ## make chaos with 25 faults of a fixed seed (part of .ci/run)
	@$(NODE) scripts/build-web.ts
	@SEED=20261123 FAULTS=25 SHRINK_RUNS=0 $(NODE) scripts/chaos/main.ts

.PHONY: kube-chaos
kube-chaos: install ## make chaos on the cluster of kube-up, with two of each service: faults of pods, containers, nodes and the cluster (NODES=2, NATS=1)
	@KUBE_NAMESPACE=$${KUBE_NAMESPACE:-husky-chaos} $(NODE) k8s/chaos/main.ts

screens: install ## Take a picture of every screen, desktop and phone, into test-results/screens/ (those in docs/screens/ too)
	@$(NODE) scripts/build-web.ts
	@$(NODE) web/e2e/screens.ts

fuzz-api: install ## Fuzz the REST API by its OpenAPI description for 10 minutes (FUZZ_SECONDS; ORIGIN: a running platform)
	@sh scripts/fuzz/install.sh $(PYTHON3)
	@FUZZ_SECONDS=$${FUZZ_SECONDS:-600} $(NODE) scripts/fuzz/run.ts

.PHONY: kube-up kube-down kube-images kube-test kube-render load
kube-up: ## Start a real one-node Kubernetes on this machine (root; the first build takes about 10 minutes)
	@k8s/cluster/up.sh

kube-down: ## Stop the cluster of kube-up and remove everything that it created
	@k8s/cluster/down.sh

kube-images: install ## Build all images without a registry and import them into the cluster of kube-up
	@k8s/images/images.sh

.PHONY: kube-prepare
kube-prepare: install ## Build the programs and images of kube-test in advance, without a cluster (root)
	@k8s/cluster/check-machine.sh
	@k8s/cluster/packages.sh
	@k8s/cluster/build.sh >/dev/null
	@IMPORT=no k8s/images/images.sh

.PHONY: kube-publish
kube-publish: ## Push the built images to REGISTRY, signed with COSIGN_KEY by cosign, with their bills of materials
	@k8s/images/publish.sh "$(REGISTRY)"

load: install ## Run k6 scenarios against ORIGIN, or a platform of its own (PROFILE=smoke, load, stress, soak, spike or overload; SCENARIOS, RATE, DURATION)
	@$(NODE) k8s/load/main.ts

.PHONY: bench-overload
bench-overload: install ## Load the platform with five times the required load of 300 requests per second (RATE: another base): accepted requests stay in time, others are refused quickly
	@PROFILE=overload $(NODE) k8s/load/main.ts

kube-test: install ## Test chart, scaling and failures on a real cluster (KUBECONFIG: your own cluster)
	@$(NODE) k8s/e2e/main.ts

.PHONY: kube-test-full
kube-test-full: install ## kube-test, then autoscaling, cert-manager, the chart's Jobs, a second node, enforced NetworkPolicies, a thousand runners, and faults
	@KUBE_FULL=1 $(NODE) k8s/e2e/main.ts

.PHONY: release-fixtures
release-fixtures: install ## Keep the release of a working tree for tests of upgrades: its chart and the database of a short match (TREE)
	@$(NODE) scripts/releases/main.ts

.PHONY: kube-secrets
kube-secrets: ## Print every secret of a new release for secrets.generate=false (RELEASE, NAMESPACE, RUNNERS_NAMESPACE, ADMIN_USERNAME, TLS=1)
	@$(NODE) scripts/migrate/print-secrets.ts

.PHONY: kube-restore
kube-restore: install ## Restore the database of a release from its volume of backups, or list them (RELEASE, NAMESPACE, BACKUP=newest, UNTIL, FETCH=1)
	@$(NODE) k8s/restore/main.ts

kube-render: install ## Write k8s/base from the chart
	@$(NODE) k8s/render.ts

.PHONY: keycloak test-keycloak
test-keycloak: install ## Test accounts in a real Keycloak: auth's suite, access rules of the REST contract, single sign-on in a browser
	@$(NODE) scripts/build-web.ts
	@$(NODE) scripts/test.ts realm keycloak

keycloak: install ## Run a real Keycloak with our realm on http://localhost:8180, in the foreground (KEYCLOAK_PORT, DATA_DIR)
	@exec $(NODE) scripts/keycloak/start.ts
