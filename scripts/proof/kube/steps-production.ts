// docs/operations.md, External PostgreSQL and Replicas of each part: values-prod.yaml in a namespace of its own, on an external PostgreSQL
// that accepts TLS only.
import { join } from 'node:path';
import { chart, helm, kubectl, machine, services, tryKubectl, waitUntil } from './cluster.ts';
import { createService, type ExternalPostgres, startExternalPostgres } from './external-postgres.ts';
import { waitForPods } from './nodes.ts';
import { OtherRelease } from './other-release.ts';
import { Platform, readProjectFile, startMatches, steadyPlayers } from './platform.ts';
import { type Step, seconds } from './steps.ts';
import { createNamespace, packageIndex } from './steps-chart.ts';
import { underLoad } from './steps-upgrade.ts';

const production = new OtherRelease('production');

/** `postgresql.external.host` of values-prod.yaml is the Service `postgres` in this namespace. */
const databases = 'databases';

const resources = (part: string, cpu: string, memory: string) => [
  `${part}.resources.requests.cpu=${cpu}`,
  `${part}.resources.requests.memory=${memory}`,
];

/** Values of values-prod.yaml that assume other images, more than two cores, or the Prometheus operator. */
const machineValues = [
  'image.repository=localhost/husky-holdem',
  'image.tag=test',
  'image.pullPolicy=Never',
  'nats.image=localhost/husky-holdem/nats:test',
  `services.submission.packageIndexUrl=${packageIndex}`,
  'monitoring.serviceMonitor=false',
  'monitoring.rules=false',
  ...services.flatMap((service) => [
    ...resources(`services.${service}`, '60m', '96Mi'),
    // Processor time of busy cores must not add replicas.
    `services.${service}.autoscaling.max=2`,
  ]),
  ...resources('runners.dealer', '20m', '96Mi'),
  ...resources('runners.seats', '10m', '64Mi'),
  ...resources('nats', '10m', '32Mi'),
  ...resources('jobs', '10m', '64Mi'),
];

/** Creates the Service that leads to PostgreSQL, the namespace and the secrets that values-prod.yaml expects, and installs the release. */
async function install({ port, password, ca }: ExternalPostgres): Promise<Platform> {
  await createNamespace(databases);
  createService('postgres', databases, machine, port);
  await createNamespace(production.namespace);
  for (const [name, entry] of [
    ['holdem-postgres-admin', `password=${password}`],
    ['holdem-postgres-ca', `ca.crt=${ca}`],
    // Without a server: mails are not part of these steps, and a failed one is only logged.
    ['holdem-smtp', 'smtp-url=smtp://127.0.0.1:25'],
  ] as const) {
    await kubectl('-n', production.namespace, 'create', 'secret', 'generic', name, `--from-literal=${entry}`);
  }
  const file = ['--namespace', production.namespace, '-f', join(chart, 'values-prod.yaml')];
  const settings = machineValues.flatMap((value) => ['--set', value]);
  const wait = ['--wait', '--wait-for-jobs', '--timeout', '9m'];
  await helm('install', production.name, chart, ...file, ...settings, ...wait).catch((error: Error) => {
    const pods = tryKubectl('-n', production.namespace, 'get', 'pods', '--no-headers').text;
    throw new Error(`${error.message}\n${pods}`);
  });
  const adminPassword = await production.readPassword();
  await production.waitUntilUsable(adminPassword);
  for (const service of services) await waitForPods(service, 2, { within: production.namespace });
  return new Platform(await production.origin(), adminPassword);
}

/** The connections of a role to its database. */
interface RoleConnections {
  readonly role: string;
  readonly encrypted: boolean;
  readonly count: number;
}

const listConnections = `SELECT a.usename AS role, s.ssl AS encrypted, count(*)::int AS count
  FROM pg_stat_activity a JOIN pg_stat_ssl s USING (pid) WHERE a.backend_type = 'client backend' GROUP BY 1, 2 ORDER BY 1`;

/** Waits until each service has connections. Returns their number; throws if one is in plaintext. */
async function verifyConnections(database: ExternalPostgres): Promise<string> {
  const roles = services.filter((service) => service !== 'gateway').map((name) => `husky_${name.replace('-', '_')}`);
  const connections = await waitUntil(
    'connections of every service',
    60,
    () => database.query<RoleConnections>(listConnections),
    (all) => roles.every((role) => all.some((one) => one.role === role)),
  );
  const plain = connections.filter(({ encrypted }) => !encrypted);
  if (plain.length > 0) throw new Error(`in plaintext: ${plain.map(({ role }) => role).join(', ')}`);
  return `${connections.reduce((sum, { count }) => sum + count, 0)} connections of ${roles.length} roles`;
}

/** Kills both pods of each service by force, one at a time, each after its predecessor is replaced. */
async function replacePods(): Promise<void> {
  for (const service of services) {
    const within = production.namespace;
    for (const pod of await waitForPods(service, 2, { within })) {
      const force = ['--timeout=100s', '--force', '--grace-period=0'];
      await kubectl('-n', production.namespace, 'delete', 'pod', pod, ...force);
      await waitForPods(service, 2, { within, replaced: pod });
    }
  }
}

/** Steps that need each other: they run in one process, from the first one. */
export function productionSteps(): Step[] {
  let database: ExternalPostgres | undefined;
  let platform: Platform | undefined;
  const installed = () => {
    if (database === undefined || platform === undefined) throw new Error('the first step of production: did not run');
    return { database, platform };
  };
  return [
    {
      name: 'production: values-prod.yaml is installed on an external PostgreSQL that accepts TLS only, every connection uses TLS, a match is played',
      required: true,
      minutes: 18,
      async run() {
        const startedMs = Date.now();
        database = await startExternalPostgres(machine, `postgres.${databases}.svc`);
        platform = await install(database);
        const readyMs = Date.now() - startedMs;
        const text = readProjectFile('scripts/proof/kube/bots/steady.py');
        for (const username of steadyPlayers) await platform.registerPlayer(username, text);
        const hands = await platform.verifyMatches(await startMatches(platform, 1), 300);
        return `two of each service after ${seconds(readyMs)}; ${await verifyConnections(database)}; ${hands} hands`;
      },
    },
    {
      name: 'production: each pod of the services is killed by force in turn, two replicas of each: no request fails',
      minutes: 20,
      run: () => underLoad(installed().platform, replacePods),
    },
    {
      name: 'production: the release is uninstalled, and PostgreSQL is stopped',
      always: true,
      minutes: 15,
      async run() {
        const flags = ['--namespace', production.namespace, '--ignore-not-found', '--wait', '--timeout=3m'];
        try {
          await helm('uninstall', production.name, ...flags);
          await production.remove();
        } finally {
          await database?.stop();
          await kubectl('delete', 'namespace', databases, '--ignore-not-found', '--timeout=60s');
        }
      },
    },
  ];
}
