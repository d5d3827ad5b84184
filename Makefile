# Targets are listed by `make help`, those of tests and benches by `make proof`.
SHELL := /bin/sh
.DEFAULT_GOAL := help
NODE := node_modules/.bin/node
PYTHON3 := $(if $(PYTHON),$(PYTHON),python3)
LIST := awk -F ':.*\#\# ' '/^\#\# /{print "\n" substr($$0, 4)} /^[a-z-]+:.*\#\# /{printf "  %-16s %s\n", $$1, $$2}'

.PHONY: writable install tools up demo keycloak clean kit play verify backup restore verify-backup kube-secrets kube-restore test check bench kube-test proof help

# A checkout that another user installed cannot be built here.
writable:
	@other=$$(find . \( -path ./.git -o -path ./.data -o -path './node_modules/*' -o -path './.tools/*' \) -prune -o ! -type l ! -writable -exec test -e {} \; -print -quit); \
	[ -z "$$other" ] || { echo "$$(id -un) cannot write $$other, which belongs to $$(stat -c %U "$$other"): run make as that user, or give the folder to $$(id -un) (chown -R)." >&2; exit 1; }

node_modules/.installed: package-lock.json package.json | writable
	@command -v npm >/dev/null || { echo 'npm is needed (Node.js 20 or newer): install it first.' >&2; exit 1; }
	npm ci --omit=dev --no-fund --no-audit --loglevel=error
	@touch $@

# Adds to the packages of `make up`, unless they are older: `npm ci` removes all packages first.
node_modules/.tools-installed: package-lock.json package.json | writable
	@command -v npm >/dev/null || { echo 'npm is needed (Node.js 20 or newer): install it first.' >&2; exit 1; }
	npm $$([ node_modules/.installed -nt package-lock.json ] && echo install --no-save || echo ci) --include=dev --no-fund --no-audit --loglevel=error
	@touch node_modules/.installed $@

.tools/.installed: scripts/python/tools.txt scripts/python/checker.txt | writable
	@sh scripts/install-python-tools.sh $(PYTHON3)
	@touch $@

# Targets that are not here are in scripts/proof/Makefile.
.DEFAULT:
	@$(MAKE) --no-print-directory -f scripts/proof/Makefile $@

## Run
install: writable node_modules/.installed .tools/.installed ## Install what the project needs (npm packages, NATS, uv) into this folder
	@$(NODE) scripts/generate.ts

tools: node_modules/.tools-installed install ## Install also what tests, checks, benches and the test cluster need

up: install ## Start everything on http://localhost:8080 and stay in the foreground (PORT, DATA_DIR, ADMIN_USERNAME, ADMIN_PASSWORD, TLS=1)
	@$(NODE) scripts/build-web.ts
	@exec $(NODE) scripts/up/main.ts

demo: install ## Six bots play a 1,000-hand match, published and ranked, on the running platform or on a temporary one (KEEP=1: keep it running)
	@$(NODE) scripts/demo/main.ts

keycloak: install ## Run a real Keycloak with our realm on http://localhost:8180, in the foreground (KEYCLOAK_PORT, DATA_DIR)
	@exec $(NODE) scripts/keycloak/start.ts

clean: ## Remove what was installed and built, keep .data
	rm -rf node_modules .tools .source .kit .build* web/dist services/*/src/generated services/lib/contracts/types

## Take part
kit: install ## Build the local kit for participants into .kit/: a wheel with dealer, seat host and example bots
	@$(NODE) services/kit/build.ts

play: kit ## Play a match of bots on this machine with the local kit (BOTS="a.py house", HANDS, SEED, ARGS="--out results")
	@sh scripts/install-kit.sh
	@.tools/kit/bin/husky play $(or $(BOTS),house tight-aggressive calling-station position-aware pressure random-legal) --hands $(or $(HANDS),1000) $(if $(SEED),--seed $(SEED)) $(ARGS)

verify: install ## Verify an export of matches without a network: checksums, commitments, every hand re-dealt (EXPORT=file.zip, KEY=key of the site)
	@$(NODE) scripts/verify-export/main.ts "$(EXPORT)" $(KEY)

## Operate
backup: install ## Copy everything of DATA_DIR into one archive, also while the platform runs (BACKUP=file.tar.zst)
	@$(NODE) scripts/backup/main.ts backup

restore: install ## Restore an archive of make backup into an empty DATA_DIR (BACKUP=file.tar.zst)
	@$(NODE) scripts/backup/main.ts restore

verify-backup: install ## Compare every file of an archive of make backup with its manifest (BACKUP=file.tar.zst)
	@$(NODE) scripts/backup/main.ts verify

kube-secrets: ## Print every secret of a new release for secrets.generate=false (RELEASE, FULLNAME, NAMESPACE, RUNNERS_NAMESPACE, ADMIN_USERNAME, TLS=1)
	@$(NODE) scripts/migrate/print-secrets.ts

kube-restore: install ## Restore the database of a release from its volume of backups, or list them (RELEASE, NAMESPACE, BACKUP=newest, UNTIL, FETCH=1)
	@$(NODE) k8s/restore/main.ts

## Change
test: tools ## Lint, types, unit and service tests of every language (last line: N passed, N failed)
	@$(NODE) scripts/proof/test/test.ts

check: tools ## Lint, types, links of documents
	@$(NODE) scripts/proof/test/test.ts lint links

bench: tools ## Measure hands per second, the engine and bytes per hand, compared with other engines and with limits
	@$(NODE) scripts/proof/bench/main.ts

kube-test: tools ## Test chart, scaling and failures on a real cluster (KUBECONFIG: your own cluster)
	@$(NODE) scripts/proof/kube/main.ts

proof: ## List the targets of tests, attacks, benches, the test cluster and releases, which `make` runs too
	@$(LIST) scripts/proof/Makefile

help: ## List the targets with a line each
	@$(LIST) Makefile
