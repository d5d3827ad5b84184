// Who may import whom. Each rule's comment says why it exists; scripts/proof/repository/lint.test.ts seeds a violation of each.
import type { IConfiguration } from 'dependency-cruiser';

const service = '^services/(?!lib/)([^/]+)/';
const anyService = '^services/(?!lib/)';
/** The folder of a module inside a service, or nothing. */
const module = '((event|ladder|challenges|audit|notices|exports|standings)/)?';
const library = '^services/lib/';
const test = '[.]test[.]tsx?$|/(test|e2e|bench)/';
const infrastructure = '^node_modules/(@grpc|@prisma|@nats-io|pg)/|/src/generated/';

export default {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'A cycle has no first file to read. Move the shared type into a file of its own.',
      severity: 'error',
      from: {
        pathNot: '/src/generated/',
      },
      to: { circular: true },
    },
    {
      name: 'resolvable',
      comment: 'The imported file or package does not exist.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^k6(/|$)' },
    },
    {
      name: 'services-are-separate',
      comment: 'Services communicate by gRPC and events only, so that each can be deployed and changed alone.',
      severity: 'error',
      from: { path: service, pathNot: '^services/kit/' },
      to: { path: anyService, pathNot: '^services/$1/' },
    },
    {
      name: 'kit-plays-as-the-runner',
      comment:
        "The local kit may use the runner's src/play and src/host, which call no service, and submission's reading of resolved packages, nothing else of a service.",
      severity: 'error',
      from: { path: '^services/kit/' },
      to: {
        path: `${anyService}|^(gateway|web)/`,
        pathNot: '^services/(kit/|runner/src/(play|host)/|submission/src/domain/(index-errors|lock)[.]ts)',
      },
    },
    {
      name: 'gateway-and-web-import-no-service',
      comment:
        'The gateway calls services by gRPC; the site calls the gateway by HTTP. Their tests may install the kit.',
      severity: 'error',
      from: { path: '^(gateway|web)/' },
      to: { path: anyService, pathNot: '^services/kit/test/(installed-kit|model-server)' },
    },
    {
      name: 'web-imports-only-the-engine',
      comment:
        'The site runs in a browser: of our code it may use the pure engine and the verification of matches only.',
      severity: 'error',
      from: { path: '^web/src/' },
      to: { path: '^(services|gateway|scripts|k8s)/', pathNot: `^services/lib/(holdem|match|testkit)/` },
    },
    {
      name: 'verification-runs-in-browsers',
      comment: 'The site verifies matches in the browser, where Node is missing.',
      severity: 'error',
      from: {
        path: '^services/lib/match/src/(verify-file|verify-match|published-hand|game-data|commitment|deck|short-hmac|rules-version|stacks)[.]ts$',
      },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'features-are-separate',
      comment: 'A feature of the site can be changed or removed alone. What two features show belongs in components.',
      severity: 'error',
      from: { path: '^web/src/features/([^/]+)/' },
      to: { path: '^web/src/features/', pathNot: '^web/src/features/$1/' },
    },
    {
      name: 'session-has-few-entries',
      comment:
        'Only web/src/session handles tokens: import its session, sign-in, single-sign-on, access or return-path.',
      severity: 'error',
      from: { path: '^web/src/', pathNot: [test, '^web/src/session/', '^web/src/lib/api[.]ts$'] },
      to: { path: '^web/src/session/(tokens|token-renewal|keycloak)[.]ts$' },
    },
    {
      name: 'library-imports-no-service',
      comment: 'Libraries are used by services, never the other way round.',
      severity: 'error',
      from: { path: library },
      to: { path: `${anyService}|^(gateway|web|scripts|k8s)/` },
    },
    {
      name: 'nothing-imports-the-scripts',
      comment: 'scripts/ and k8s/ are entry points. Code that a service needs belongs in services/lib.',
      severity: 'error',
      from: { path: '^(services|gateway|web)/', pathNot: test },
      to: { path: '^(scripts|k8s)/' },
    },
    {
      name: 'nothing-imports-the-proof',
      comment:
        'scripts/proof holds tests, benches and the test cluster. What users and operators run does not need it.',
      severity: 'error',
      from: { pathNot: [test, '^scripts/proof/'] },
      to: { path: '^scripts/proof/' },
    },
    {
      name: 'scripts-and-k8s-are-apart',
      comment: 'k8s/ holds manifests, images and what an operator of a cluster runs, scripts/ what runs without one.',
      severity: 'error',
      from: { path: '^(scripts|k8s)/' },
      to: { path: '^(scripts|k8s)/', pathNot: '^$1/' },
    },
    {
      name: 'services-import-no-edge',
      comment: 'Services import neither the gateway nor the site.',
      severity: 'error',
      from: { path: '^services/' },
      to: { path: '^(gateway|web)/' },
    },
    {
      name: 'packages-by-name',
      comment: 'Import another package as @husky/<package>/<file>, never by a relative path.',
      severity: 'error',
      from: { path: '^(services/lib/[^/]+|services/(?!lib/)[^/]+|gateway|web|scripts|k8s)/' },
      to: { path: library, pathNot: '^$1/', dependencyTypes: ['local'], dependencyTypesNot: ['aliased'] },
    },
    {
      name: 'engine-is-pure',
      comment: 'The engine has no I/O, clock or randomness and imports nothing else of ours.',
      severity: 'error',
      from: { path: '^services/lib/holdem/src/', pathNot: test },
      to: { pathNot: '^services/lib/holdem/src/' },
    },
    {
      name: 'testkit-only-in-tests',
      comment: 'Test code never runs in production: what both need belongs in @husky/platform or @husky/runtime.',
      severity: 'error',
      from: { pathNot: [test, '^services/lib/testkit/', '^scripts/proof/'] },
      to: { path: '^services/lib/testkit/' },
    },
    {
      name: 'domain-is-pure',
      comment: 'Domain rules import no other layer of their service.',
      severity: 'error',
      from: { path: `${service}src/${module}domain/`, pathNot: test },
      to: { path: '^services/$1/', pathNot: `^services/$1/src/${module}domain/` },
    },
    {
      name: 'domain-reaches-no-infrastructure',
      comment: 'Domain rules import no gRPC, Prisma or NATS, not even through a library.',
      severity: 'error',
      from: { path: `${service}src/${module}domain/`, pathNot: test },
      to: { path: infrastructure, reachable: true },
    },
    {
      name: 'store-is-below',
      comment: 'rpc, work and events call the store, never the other way round.',
      severity: 'error',
      from: { path: `${service}src/${module}store/`, pathNot: test },
      to: { path: `^services/$1/src/${module}(rpc|work|events)/` },
    },
    {
      name: 'rpc-without-work',
      comment: 'Calls and background work share domain and store, not each other.',
      severity: 'error',
      from: { path: `${service}src/${module}rpc/`, pathNot: test },
      to: { path: `^services/$1/src/${module}work/` },
    },
    {
      name: 'work-without-rpc',
      comment: 'Calls and background work share domain and store, not each other.',
      severity: 'error',
      from: { path: `${service}src/${module}(work|events)/`, pathNot: test },
      to: { path: `^services/$1/src/${module}rpc/` },
    },
    {
      name: 'event-settings-are-a-module',
      comment: 'The event module of simulation owns settings and quotas; it imports no code of jobs and batches.',
      severity: 'error',
      from: { path: '^services/simulation/src/event/', pathNot: test },
      to: {
        path: '^services/simulation/src/',
        pathNot: '^services/simulation/src/(event/|context[.]ts|store/audit[.]ts)',
      },
    },
    {
      name: 'challenges-have-few-entries',
      comment: 'Nothing else needs challenges: their calls, their background work and the deletion of an account.',
      severity: 'error',
      from: {
        path: '^services/simulation/src/',
        pathNot: [
          test,
          '^services/simulation/src/(challenges/|server[.]ts|work/start-work[.]ts|events/user-changed[.]ts)',
        ],
      },
      to: { path: '^services/simulation/src/challenges/' },
    },
    {
      name: 'event-settings-have-an-interface',
      comment: 'Code outside the event module uses only its store: refuseWhenFrozen, effectiveQuota, deleteUserQuota.',
      severity: 'error',
      from: { path: '^services/simulation/src/', pathNot: [test, '^services/simulation/src/(event/|server[.]ts)'] },
      to: { path: '^services/simulation/src/event/(domain|rpc)/' },
    },
    {
      name: 'tournaments-have-an-interface',
      comment: 'Code outside the tournament module uses its RPCs, its work and refuseStage only.',
      severity: 'error',
      from: { path: '^services/simulation/src/', pathNot: [test, '^services/simulation/src/tournament/'] },
      to: {
        path: '^services/simulation/src/tournament/',
        pathNot: 'tournament/(rpc/[a-z]+|stage-standings|work/run-tournaments|store/tournaments)[.]ts$',
      },
    },
    {
      name: 'auth-modules-are-movable',
      comment:
        'The audit log and the notices can become services: they use auth only through AuditHost and NoticesHost.',
      severity: 'error',
      from: { path: '^services/auth/src/(audit|notices)/', pathNot: test },
      to: {
        path: '^services/auth/',
        pathNot: ['^services/auth/src/$1/', '^services/auth/src/mail/mail[.]ts$', '^services/auth/src/generated/'],
      },
    },
    {
      name: 'auth-modules-have-few-entries',
      comment: 'auth uses its modules through their hosts, starters and RPCs only, never their store or domain.',
      severity: 'error',
      from: { path: '^services/auth/src/', pathNot: [test, '^services/auth/src/(audit|notices)/'] },
      to: {
        path: '^services/auth/src/(audit|notices)/',
        pathNot: 'src/(audit/(audit|rpc/.+|events/.+)|notices/(host|notices|rpc/.+))[.]ts$',
      },
    },
    {
      name: 'live-data-modules-are-apart',
      comment: 'Exports and standings read what live-data stores and know neither its calls nor each other.',
      severity: 'error',
      from: { path: '^services/live-data/src/(exports|standings)/', pathNot: test },
      to: {
        path: '^services/live-data/src/',
        pathNot: [
          '^services/live-data/src/$1/',
          '^services/live-data/src/(domain|store|generated)/',
          '^services/live-data/src/(access|context|load-match|read-hands|work/each-match)[.]ts$',
        ],
      },
    },
    {
      name: 'live-data-modules-have-few-entries',
      comment: 'live-data uses its modules through their RPCs, their background work and dropExportsOf only.',
      severity: 'error',
      from: { path: '^services/live-data/src/', pathNot: [test, '^services/live-data/src/(exports|standings)/'] },
      to: {
        path: '^services/live-data/src/(exports|standings)/',
        pathNot:
          'src/(exports/(make-exports|rpc/.+|store/exports)|standings/(rpc/.+|work/.+-work|domain/packed-standings))[.]ts$',
      },
    },
    {
      name: 'access-rules-in-one-table',
      comment: 'Only src/access.ts decides who may call what: add a rule there and use it.',
      severity: 'error',
      from: { path: `${service}src/`, pathNot: `${test}|/src/access[.]ts$` },
      to: { path: '^services/lib/runtime/src/rpc/access[.]ts$' },
    },
  ],
  options: {
    moduleSystems: ['es6'],
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^services/lib/contracts/types/|/dist/' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
} satisfies IConfiguration;
