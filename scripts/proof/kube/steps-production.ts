// Releases with values-prod.yaml on an external PostgreSQL that accepts TLS only, in namespaces of their own.
import { join } from 'node:path';
import { Api } from '../../demo/api.ts';
import { chart, helm, kubectl, machine, services, tryKubectl, waitUntil } from './cluster.ts';
import { createService, type ExternalPostgres, startExternalPostgres } from './external-postgres.ts';
import { OtherRelease } from './other-release.ts';
import { Platform, readProjectFile, startMatches, steadyPlayers } from './platform.ts';
import { type Step, seconds } from './steps.ts';
import { createNamespace, packageIndex } from './steps-chart.ts';
import { byForce, replacePods, waitForTwoOfEach } from './steps-replacement.ts';

const production = new OtherRelease('production');
const beside = new OtherRelease('beside');
const third = new OtherRelease('third');

/** `postgresql.external.host` of values-prod.yaml is the Service `postgres` in this namespace. */
const databases = 'databases';
/** Names of the second release on the server; those of the first one are the chart's defaults, `husky` and `husky_`. */
const besideNames = { database: 'husky-beside', rolePrefix: 'beside_' };

/** Returns the roles of the services, all of which except the gateway use PostgreSQL. */
const rolesOf = (prefix: string) =>
  services.filter((service) => service !== 'gateway').map((service) => `${prefix}${service.replace('-', '_')}`);

/** Values of values-prod.yaml that assume other images, more than two cores, or the Prometheus operator. */
const machineValues = [
  'image.repository=localhost/husky-holdem',
  'image.tag=test',
  'image.pullPolicy=Never',
  'nats.image=localhost/husky-holdem/nats:test',
  `submission.packageIndexUrl=${packageIndex}`,
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

/** Values of a small release: one replica of each service, one NATS server. */
const smallValues = [
  'nats.replicas=1',
  ...services.flatMap((service) => [
    `services.${service}.replicas=1`,
    `services.${service}.autoscaling.enabled=false`,
    `services.${service}.resources.requests.cpu=20m`,
  ]),
];

/** Values for requests of a part. The test cluster's nodes have no ephemeral storage to request (localStorageCapacityIsolation). */
function resources(part: string, cpu: string, memory: string): string[] {
  return [
    `${part}.resources.requests.cpu=${cpu}`,
    `${part}.resources.requests.memory=${memory}`,
    `${part}.resources.requests.ephemeral-storage=0`,
    `${part}.resources.limits.ephemeral-storage=0`,
  ];
}

/** Starts PostgreSQL, and a Service of the cluster that leads to it. */
async function startDatabase(): Promise<ExternalPostgres> {
  const database = await startExternalPostgres(machine, `postgres.${databases}.svc`);
  try {
    await createNamespace(databases);
    createService('postgres', databases, machine, database.port);
    return database;
  } catch (error) {
    await database.stop();
    throw error;
  }
}

/** Creates the namespace and the secrets that values-prod.yaml expects from the operator. */
async function prepareNamespace({ namespace }: OtherRelease, { password, ca }: ExternalPostgres): Promise<void> {
  await createNamespace(namespace);
  for (const [name, entry] of [
    ['holdem-postgres-admin', `password=${password}`],
    ['holdem-postgres-ca', `ca.crt=${ca}`],
    // Without a server: mails are not part of these steps, and a failed one is only logged.
    ['holdem-smtp', 'smtp-url=smtp://127.0.0.1:25'],
  ] as const) {
    await kubectl('-n', namespace, 'create', 'secret', 'generic', name, `--from-literal=${entry}`);
  }
}

async function install(target: OtherRelease, values: readonly string[], ...flags: readonly string[]): Promise<void> {
  const file = ['--namespace', target.namespace, '-f', join(chart, 'values-prod.yaml')];
  const settings = [...machineValues, ...values].flatMap((value) => ['--set', value]);
  await helm('install', target.name, chart, ...file, ...settings, ...flags).catch((error: Error) => {
    throw new Error(`${error.message}\n${tryKubectl('-n', target.namespace, 'get', 'pods', '--no-headers').text}`);
  });
}

const untilReady = ['--wait', '--wait-for-jobs', '--timeout', '9m'];

async function signIn(target: OtherRelease): Promise<Platform> {
  const password = await target.readPassword();
  await target.waitUntilUsable(password);
  return new Platform(await target.origin(), password);
}

/** Uninstalls with Helm and deletes the namespaces. Idempotent. */
async function uninstall(target: OtherRelease): Promise<void> {
  await helm('uninstall', target.name, '--namespace', target.namespace, '--ignore-not-found', '--wait', '--timeout=3m');
  await target.remove();
}

/** The connections of a role to its database. */
interface RoleConnections {
  readonly role: string;
  readonly encrypted: boolean;
  readonly version: string | null;
  readonly count: number;
}

const listConnections = `SELECT a.usename AS role, s.ssl AS encrypted, s.version, count(*)::int AS count
  FROM pg_stat_activity a JOIN pg_stat_ssl s USING (pid) WHERE a.backend_type = 'client backend' GROUP BY 1, 2, 3 ORDER BY 1`;

/** Waits until each service has connections. Returns their number; throws if one is in plaintext. */
async function verifyConnections(database: ExternalPostgres): Promise<string> {
  const roles = rolesOf('husky_');
  const connections = await waitUntil(
    'connections of every service',
    60,
    () => database.query<RoleConnections>(listConnections),
    (all) => roles.every((role) => all.some((one) => one.role === role)),
  );
  const plain = connections.filter(({ encrypted }) => !encrypted);
  if (plain.length > 0) throw new Error(`in plaintext: ${plain.map(({ role }) => role).join(', ')}`);
  const count = connections.reduce((sum, one) => sum + one.count, 0);
  const versions = new Set(connections.map(({ version }) => version));
  return `${count} connections of ${roles.length} roles, ${[...versions].join(', ')}`;
}

/** Throws unless the database has the owner mark of the release. */
async function verifyOwner(database: ExternalPostgres, name: string, owner: OtherRelease): Promise<void> {
  const [row] = await database.query<{ mark: string | null }>(
    `SELECT shobj_description(oid, 'pg_database') AS mark FROM pg_database WHERE datname = '${name}'`,
  );
  const expected = `husky-holdem installation ${owner.namespace}/${owner.name} `;
  if (row?.mark?.startsWith(expected) !== true) throw new Error(`the database ${name} has the mark ${row?.mark}`);
}

/** Throws unless `target` refuses the password of the administrator of `other`. */
async function verifyRefused(platform: Platform, target: OtherRelease, other: OtherRelease): Promise<void> {
  const account = { username: 'admin', password: await other.readPassword() };
  const { status } = await platform.catchRefusal(new Api(await target.origin()).signIn(account));
  if (status !== 401) throw new Error(`${target.name} returned ${status} for the administrator of ${other.name}`);
}

async function installBeside(platform: Platform, database: ExternalPostgres): Promise<string> {
  try {
    await prepareNamespace(beside, database);
    const names = [
      `postgresql.external.database=${besideNames.database}`,
      `postgresql.external.rolePrefix=${besideNames.rolePrefix}`,
    ];
    await install(beside, [...smallValues, ...names], ...untilReady);
    const other = await signIn(beside);
    await verifyOwner(database, 'husky', production);
    await verifyOwner(database, besideNames.database, beside);
    await verifyRefused(platform, production, beside);
    await verifyRefused(platform, beside, production);
    const countUsers = async (site: Platform) => {
      const users = await (await site.admin()).get<unknown[]>('/user/search?q=steady');
      return users.length;
    };
    const [first, second] = [await countUsers(platform), await countUsers(other)];
    if (first !== steadyPlayers.length || second !== 0) {
      throw new Error(`${first} and ${second} players are registered`);
    }
    return `${first} players in the first release, ${second} in the second one`;
  } finally {
    await uninstall(beside);
    await dropBeside(database);
  }
}

/** Deletes the second release's database and roles, which another installation of the release could not use. */
async function dropBeside(database: ExternalPostgres): Promise<void> {
  await database.query(`DROP DATABASE IF EXISTS "${besideNames.database}" WITH (FORCE)`);
  for (const role of rolesOf(besideNames.rolePrefix)) await database.query(`DROP ROLE IF EXISTS ${role}`);
}

/** Returns the refusal of the migration Job. The other pods match no node, because they would only wait for the migrations. */
async function installThird(database: ExternalPostgres): Promise<string> {
  const parts = [...services.map((service) => `services.${service}`), 'nats'];
  const pending = [...parts.map((part) => `${part}.pod`), 'runners'].map((part) => `${part}.nodeSelector.e2e=none`);
  try {
    await prepareNamespace(third, database);
    await install(third, [...smallValues, ...pending]);
    const selector = `app.kubernetes.io/instance=${third.name},app.kubernetes.io/component=migrate`;
    const refusal = await waitUntil(
      'the refusal of the migration Job',
      180,
      () => kubectl('-n', third.namespace, 'logs', '-l', selector, '--tail=-1'),
      (log) => log.includes('belongs to the installation'),
      1000,
    );
    for (const phrase of [
      `The database husky belongs to the installation ${production.namespace}/${production.name} `,
      `this is ${third.namespace}/${third.name} `,
      'set postgresql.external.database and postgresql.external.rolePrefix to other names',
    ]) {
      if (!refusal.includes(phrase)) throw new Error(`not "${phrase}": ${refusal.slice(-600)}`);
    }
    await verifyOwner(database, 'husky', production);
    return refusal.trim().split('\n').at(-1) ?? '';
  } finally {
    await uninstall(third);
  }
}

/** Uninstalls all releases, and stops PostgreSQL in any case. */
async function removeAll(database: ExternalPostgres | undefined): Promise<void> {
  try {
    for (const target of [third, beside, production]) await uninstall(target);
  } finally {
    await database?.stop();
    await kubectl('delete', 'namespace', databases, '--ignore-not-found', '--timeout=60s');
  }
}

/** Steps that need each other: they run in one process, from the first one. */
export function productionSteps(): Step[] {
  let database: ExternalPostgres | undefined;
  let platform: Platform | undefined;
  const installed = () => {
    if (database === undefined || platform === undefined) throw new Error('the first step of production: did not run');
    return { server: database, site: platform };
  };
  return [
    {
      name: 'production: values-prod.yaml is installed on an external PostgreSQL that accepts TLS only, with a CA of its own',
      required: true,
      minutes: 18,
      async run() {
        const startedMs = Date.now();
        database = await startDatabase();
        await prepareNamespace(production, database);
        await install(production, [], ...untilReady);
        platform = await signIn(production);
        await waitForTwoOfEach(production);
        const readyMs = Date.now() - startedMs;
        const text = readProjectFile('scripts/proof/kube/bots/steady.py');
        for (const username of steadyPlayers) await platform.registerPlayer(username, text);
        return `two of each service after ${seconds(readyMs)}`;
      },
    },
    {
      name: 'production: a match is played and verified',
      async run() {
        const { site } = installed();
        return `${await site.verifyMatches(await startMatches(site, 1), 300)} hands`;
      },
    },
    {
      name: 'production: every connection to PostgreSQL uses TLS',
      run: () => verifyConnections(installed().server),
    },
    {
      name: 'production: each pod of the services is killed by force in turn, two replicas of each: no request fails',
      minutes: 20,
      run: () => replacePods(installed().site, production, ...byForce),
    },
    {
      name: 'production: a second release with a database and roles of its own on the same server: each keeps its own administrator',
      minutes: 18,
      async run() {
        const { site, server } = installed();
        return installBeside(site, server);
      },
    },
    {
      name: 'production: a third release with the names of the first one is refused by its migration Job',
      minutes: 12,
      async run() {
        const { site, server } = installed();
        const refusal = await installThird(server);
        await new Platform(site.origin, await production.readPassword()).admin();
        return `"${refusal.slice(0, 300)}"`;
      },
    },
    {
      name: 'production: all releases are uninstalled, and PostgreSQL is stopped',
      always: true,
      minutes: 15,
      run: () => removeAll(database),
    },
  ];
}
