import spdxIds from 'spdx-license-ids/index.json' with { type: 'json' };
import { z } from 'zod';
import { DEFAULT_DATA_LICENSE } from './data-license.ts';
import { databaseUrl, natsUrl, siteUrl, urlVariables as urls } from './url-variables.ts';

const services = ['auth', 'submission', 'simulation', 'live-data', 'leaderboard', 'pool'] as const;
const servers = [...services, 'gateway'] as const;
export const processParts = [...servers, 'runner'] as const;
const processes = processParts;
const dealing = ['gateway', 'pool', 'runner'] as const;
const identity = ['auth', 'gateway'] as const;

/**
 * Values of OTEL_TRACES_SAMPLER.
 * https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/#general-sdk-configuration
 */
export const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/** What reads variables: a process, or `make up` itself. */
export type Part = (typeof processes)[number] | 'make up';

interface Kind<Schema extends z.ZodType> {
  readonly schema: Schema;
  /** Type and limits, and the default, in words; no default: '' (optional) or 'required'. */
  readonly type: string;
  readonly fallback: string;
}

export interface Variable<Schema extends z.ZodType = z.ZodType, Parts extends readonly Part[] = readonly Part[]>
  extends Kind<Schema> {
  /** The parts that read it. */
  readonly parts: Parts;
  readonly meaning: string;
  /** `make up` and the chart set it themselves. */
  readonly wired?: boolean;
  /** Another variable with the value without which it has no effect. */
  readonly needs?: readonly [name: string, value: string];
}

const row = <Schema extends z.ZodType, const Parts extends readonly Part[]>(
  kind: Kind<Schema>,
  parts: Parts,
  meaning: string,
  more: Pick<Variable, 'wired' | 'needs'> = {},
): Variable<Schema, Parts> => ({ ...kind, parts, meaning, ...more });

const wired = { wired: true };
const keycloak = { needs: ['IDENTITY', 'keycloak'] } as const;

const integer = (fallback: number, min = 1, max = 2 ** 31 - 1) => ({
  schema: z.coerce.number().int().min(min).max(max).default(fallback),
  type: `whole number from ${min}${max === 2 ** 31 - 1 ? '' : ` to ${max}`}`,
  fallback: String(fallback),
});
/** 0: no limit. */
const limit = (fallback: number) => ({ ...integer(fallback, 0, 1_000_000), type: 'limit' });
const seconds = (fallback: number, min = 0, max = 3600) => ({
  schema: z.coerce.number().min(min).max(max).default(fallback),
  type: `seconds from ${min} to ${max}`,
  fallback: String(fallback),
});
const flag = (fallback: boolean) => ({
  schema: z.stringbool().default(fallback),
  type: 'true or false',
  fallback: String(fallback),
});
const choice = <const Word extends string>(words: readonly Word[], fallback: NoInfer<Word>) => ({
  schema: z.enum(words).default(fallback as never),
  type: words.join(', '),
  fallback,
});
const text = (fallback: string) => ({ schema: z.string().default(fallback), type: 'text', fallback });
const spdxLicense = {
  schema: z
    .string()
    .refine((id) => spdxIds.includes(id), 'must be an id of the SPDX license list, such as CC-BY-4.0 or CC0-1.0')
    .default(DEFAULT_DATA_LICENSE),
  type: 'id of the [SPDX list](https://spdx.org/licenses/)',
  fallback: DEFAULT_DATA_LICENSE,
};
const required = { schema: z.string(), type: 'text', fallback: 'required' };
const optional = { schema: z.string().optional(), type: 'text', fallback: '' };
const address = { schema: z.string(), type: 'host:port', fallback: 'required' };
const listening = (fallback: string) => ({ schema: z.string().default(fallback), type: 'host:port', fallback });
const file = { schema: z.string(), type: 'path', fallback: 'required' };
const optionalFile = { schema: z.string().optional(), type: 'path', fallback: '' };
const url = <Schema extends z.ZodType>(schema: Schema) => ({ schema, type: 'URL', fallback: 'required' });
const optionalUrl = <Schema extends z.ZodType>(schema: Schema) => ({
  schema: schema.optional() as z.ZodOptional<Schema>,
  type: 'URL',
  fallback: '',
});

/** Every variable of the platform; the only list. docs/operations.md shows it, `make up` and the services read it. */
// biome-ignore format: one line for each variable
export const variables = {
  // One machine.
  PORT: row(integer(8080, 1, 65_535), ['make up'], 'port of the site and its API'),
  DATA_DIR: row({ ...optionalFile, fallback: '.data' }, ['make up'], 'folder of all data'),
  ADMIN_PASSWORD: row(optional, ['make up'], "the first administrator's password; generated and printed once without it. An existing one is kept"),
  TLS: row(choice(['0', '1'], '0'), ['make up'], '1: mutual TLS between the services, with certificates in the data folder'),
  PYTHON: row(text('python3'), ['make up', 'submission', 'pool'], 'Python interpreter for bots and their checks'),
  KEYCLOAK_PORT: row({ ...integer(0, 0, 65_535), fallback: 'a free port' }, ['make up'], 'port of the Keycloak that `make up` starts', keycloak),
  KEYCLOAK_ADMIN_PASSWORD: row(optional, ['make up'], "password of that Keycloak's administrator; generated without it", keycloak),
  CHAOS: row(optional, ['make up'], 'proxies between the parts and their clocks, for `make chaos`'),

  // Every process.
  LOG_LEVEL: row(choice(['info', 'trace', 'debug', 'warn', 'error', 'fatal'], 'info'), processes, 'least severe entries of the log'),
  OTEL_EXPORTER_OTLP_ENDPOINT: row(optionalUrl(urls.OTEL_EXPORTER_OTLP_ENDPOINT), processes, 'OTLP receiver over HTTP for traces and metrics; without it nothing is sent. Other `OTEL_` variables as OpenTelemetry specifies them'),
  OTEL_TRACES_SAMPLER: row(choice(samplers, 'parentbased_always_on'), processes, 'which traces are recorded'),
  OTEL_TRACES_SAMPLER_ARG: row({ schema: z.coerce.number().min(0).max(1).default(1), type: 'number from 0 to 1', fallback: '1' }, processes, 'ratio for the samplers whose names end in traceidratio'),
  OPS_ADDRESS: row(listening('0.0.0.0:9090'), processes, '/healthz, /readyz, /metrics', wired),
  IDENTITY_KEY_FILE: row(file, processes, 'key that signs its identity', wired),
  TLS_FOLDER: row(optionalFile, processes, 'folder of tls.crt, tls.key and ca.crt, for mutual TLS', wired),
  GRPC_ADDRESS: row(listening('0.0.0.0:50051'), services, 'gRPC', wired),
  IDENTITY_TRUST_FILE: row(file, services, 'public keys of the callers', wired),
  NATS_URL: row(url(natsUrl), servers, 'NATS', wired),
  NATS_PASSWORD_FILE: row(file, servers, "password of the process's NATS user", wired),
  NATS_STREAM_REPLICAS: row(integer(1, 1, 5), servers, "replicas of the service's stream; needs at least as many servers", wired),
  DATABASE_URL: row(url(databaseUrl), services, 'PostgreSQL, without the password', wired),
  DATABASE_PASSWORD_FILE: row(file, services, "password of the service's role", wired),
  DATABASE_POOL_SIZE: row(integer(8, 1, 100), services, 'connections of one replica to PostgreSQL'),
  DATABASE_NEWER: row(choice(['refuse', 'additive'], 'refuse'), services, 'additive: waits up to 10 minutes for the migration Job, and starts on the schema of a newer release whose migrations only add', wired),
  AUTH_ADDRESS: row(address, ['gateway', 'simulation'], 'auth', wired),
  SUBMISSION_ADDRESS: row(address, [...dealing, 'simulation'], 'submission', wired),
  SIMULATION_ADDRESS: row(address, [...dealing, 'live-data', 'leaderboard'], 'simulation', wired),
  LIVE_DATA_ADDRESS: row(address, [...dealing, 'simulation'], 'live-data', wired),
  LEADERBOARD_ADDRESS: row(address, ['gateway'], 'leaderboard', wired),
  POOL_ADDRESS: row(address, ['gateway'], 'pool', wired),

  // Site.
  PUBLIC_URL: row({ ...url(siteUrl), fallback: '`make up`: http://localhost:PORT' }, identity, 'address of the site, without a path; used in mails'),
  CORS_ORIGINS: row({ schema: z.string().default('').transform((origins) => origins.split(',').flatMap((origin) => origin.trim() || [])).pipe(z.array(siteUrl)), type: 'URLs, separated by commas', fallback: '' }, ['gateway'], 'further origins that may call from a browser'),
  TRUSTED_PROXIES: row(integer(0, 0, 5), ['gateway'], 'number of proxies in front that set X-Forwarded-For'),
  METRICS_ON_SITE: row(flag(true), ['gateway'], "whether /metrics is served on the site's port too"),
  RATE_LIMIT_READS: row(limit(6000), ['gateway'], 'reads of an address in 10 s. Other requests: a sixth; requests of an account: a fifth; its uploads in 60 s: a hundredth'),
  RATE_LIMIT_SIGN_INS: row(limit(600), ['gateway'], 'sign-ins, registrations and forgotten passwords of an address in 60 s'),
  MAX_CONCURRENT_REQUESTS: row(limit(256), ['gateway'], 'concurrent requests; the limit adapts below this number. Uploads: an eighth'),
  CONNECTIONS_MAX: row(limit(10_000), ['gateway'], 'open connections; an idle one takes 17 KiB'),
  STREAMS_MAX: row(limit(5000), ['gateway'], 'open event streams; exports count. Of an address: a 25th; of an account: a 250th. Running downloads of an address: a 250th; of an account: a 1,250th'),
  SOURCE_URL: row({ ...optionalUrl(urls.SOURCE_URL), fallback: "the running version's archive" }, ['gateway'], "the site's link to the source code"),
  DATASET_URL: row({ ...optionalUrl(urls.DATASET_URL), fallback: '/data' }, ['gateway'], "the site's link to the data set"),
  WIKI_URL: row({ ...optionalUrl(urls.WIKI_URL), fallback: '/bots' }, ['gateway'], "the site's link to the wiki"),
  DATA_LICENSE: row(spdxLicense, ['gateway'], 'license of the data in exports and downloads; the source code has its own'),
  HTTP_ADDRESS: row(listening('0.0.0.0:8080'), ['gateway'], 'the site', wired),
  WEB_DIR: row(optionalFile, ['gateway'], 'the built web app; without it the API only', wired),

  // Accounts and mail.
  ADMIN_USERNAME: row({ ...optional, fallback: '`make up`: admin' }, ['make up', 'auth'], "the first administrator's name"),
  ADMIN_PASSWORD_FILE: row(optionalFile, ['auth'], "the first administrator's password; goes together with the name", wired),
  ADMIN_EMAIL: row(text('admin@localhost'), ['auth'], "the first administrator's address"),
  SMTP_URL: row(optionalUrl(urls.SMTP_URL), ['make up', 'auth'], 'mail server; without it mails are files, and their links are in the log'),
  MAIL_FROM: row(text("Husky Hold'em <no-reply@localhost>"), ['auth'], 'sender of mails'),
  MAIL_OUTBOX_DIR: row({ schema: z.string().default('.data/mail'), type: 'path', fallback: '.data/mail' }, ['auth'], 'folder of mails without SMTP_URL', wired),
  AUTH_SIGNING_KEY_FILE: row(optionalFile, ['auth'], 'Ed25519 JWK or JWK set: the first key signs, all verify; reloaded on change. Without it keys are kept in the database', wired),
  IDENTITY: row(choice(['own', 'keycloak'], 'own'), ['make up', ...identity], 'keycloak: accounts are in a Keycloak, which `make up` starts unless KEYCLOAK_URL is set'),
  KEYCLOAK_URL: row(optionalUrl(urls.KEYCLOAK_URL), ['make up', ...identity], 'Keycloak for browsers: the issuer of its tokens without /realms/<realm>', keycloak),
  KEYCLOAK_INTERNAL_URL: row({ ...optionalUrl(urls.KEYCLOAK_INTERNAL_URL), fallback: 'KEYCLOAK_URL' }, ['auth'], 'Keycloak for auth', keycloak),
  KEYCLOAK_REALM: row(text('husky-holdem'), identity, 'the realm with the accounts', keycloak),
  KEYCLOAK_CLIENT_ID: row(text('husky-platform'), ['auth'], 'confidential client, with direct grants and a service account', keycloak),
  KEYCLOAK_CLIENT_SECRET_FILE: row(optionalFile, ['make up', 'auth'], 'its secret', keycloak),
  KEYCLOAK_WEB_CLIENT_ID: row(text('husky-web'), identity, 'public client of the site', keycloak),

  // Bots and matches.
  PACKAGE_INDEX_URL: row({ ...optionalUrl(urls.PACKAGE_INDEX_URL), fallback: "uv's own" }, ['submission'], 'index for the packages of bots'),
  UV: row(text('uv'), ['submission'], 'path of uv', wired),
  RUNNER_PYTHON: row({ schema: z.string().regex(/^3\.\d+$/).default('3.11'), type: 'major.minor', fallback: '3.11' }, ['submission'], 'Python of the runners, for which packages are chosen', wired),
  FILE_LINK_KEY_FILE: row(file, ['submission'], 'secret that signs links to files', wired),
  WORK_DIR: row(file, ['submission'], 'folder in which packages are unpacked; emptied at start', wired),
  BEACON_URLS: row(text(''), ['simulation'], 'relays of a public beacon (drand) from which cards are dealt too, separated by commas, such as `https://api.drand.sh` (docs/fairness.md)'),
  BEACON_CHAIN: row(text(''), ['simulation'], 'JSON of its chain, as a relay has it at `/info`; without it quicknet'),
  DEFAULT_HANDS: row(integer(1000, 1, 10_000), ['simulation'], 'hands of a match of a batch that names no number'),
  LADDER: row(flag(true), ['simulation'], 'whether the ladder plays until an admin changes it'),
  LEASE_SECONDS: row(integer(30, 5), ['simulation'], 'time without a heartbeat after which a runner loses its match'),
  BOT_DECISION_MS: row(integer(5000), ['simulation'], 'time of a bot for a decision. A match keeps the limits that hold when it is created'),
  BOT_BANK_MS: row(integer(60_000, 0), ['simulation'], 'further time of a bot for a match'),
  BOT_FREE_MS: row(integer(100), ['simulation'], 'time of a decision that is not charged to the bank'),
  BOT_FAULTS_TO_DISABLE: row(integer(10), ['simulation'], 'faults after which a bot is disabled'),
  BOT_STARTUP_MS: row(integer(30_000, 100, 600_000), ['simulation'], 'time of a bot to start'),
  BOT_MEMORY_MIB: row(integer(256, 32, 65_536), ['simulation'], 'memory of a bot'),
  EXPORTS_KEEP_DAYS: row(integer(30, 1, 3650), ['live-data'], 'days after which an export is removed'),
  EXPORTS_MAX_MIB: row(integer(4096, 64), ['live-data'], 'size of all exports; the oldest are removed before it is exceeded'),

  // Runners.
  POOL_SIZE: row(integer(3, 1, 1000), ['pool'], 'runners at the first start; later starts use the stored number'),
  POOL_MAX_SIZE: row(integer(16, 3, 1000), ['pool'], 'most runners'),
  POOL_START_SECONDS: row(seconds(120, 1), ['pool'], 'pods: time of new ones until their first claim, counted again from each one that claims'),
  POOL_DRAIN_SECONDS: row(seconds(120), ['pool'], 'how long a cordoned runner may continue its match'),
  AUTOSCALING: row(flag(false), ['pool'], 'whether autoscaling is on until an admin changes it'),
  AUTOSCALING_MINIMUM: row(integer(3, 3, 1000), ['pool'], 'its least number of runners'),
  AUTOSCALING_MAXIMUM: row({ schema: z.coerce.number().int().min(3).max(1000).optional(), type: 'whole number from 3 to 1000', fallback: 'POOL_MAX_SIZE; one machine: number of cores' }, ['pool'], 'its largest number of runners'),
  AUTOSCALING_DRAIN_SECONDS: row(integer(300, 10, 86_400), ['pool'], 'time in which it wants to play what waits'),
  AUTOSCALING_UP_SECONDS: row(seconds(15), ['pool'], 'least time between two increases'),
  AUTOSCALING_DOWN_SECONDS: row(seconds(300, 0, 86_400), ['pool'], 'how long fewer runners must suffice before it decreases'),
  ALLOW_STRANGERS_WITHOUT_SANDBOX: row(flag(false), ['pool', 'runner'], 'plays bots although a required means of the sandbox is missing'),
  RUNNERS_NAMESPACE: row(optional, ['pool'], "the runners' namespace", wired),
  RUNNERS_DEPLOYMENT: row(optional, ['pool'], "the runners' Deployment; without it runners are processes of this machine", wired),
  RUNNERS_DIR: row(optionalFile, ['pool'], 'folder of the runners of this machine; a short path, since it holds sockets', wired),
  RUNNER_KEY_FILE: row(optionalFile, ['pool'], 'identity key of the runners of this machine', wired),
  DEALER_VARIABLES: row({ schema: z.string().default('{}').transform((json) => z.record(z.string(), z.string()).parse(JSON.parse(json))), type: 'JSON object', fallback: '{}' }, ['pool'], 'further variables of the dealers of this machine; `{number}` stands for the number of the runner', wired),
  RUNNER_NAME: row({ ...required, schema: z.string().min(1).max(100) }, ['runner'], "the runner's name", wired),
  RUN_DIR: row(file, ['runner'], 'folder shared with the seat host', wired),
} as const;

export type VariableName = keyof typeof variables;
type NamesOf<P extends Part> = {
  [Name in VariableName]: P extends (typeof variables)[Name]['parts'][number] ? Name : never;
}[VariableName];

/** The values of the variables that a part reads. */
export type ValuesOf<P extends Part> = { [Name in NamesOf<P>]: z.infer<(typeof variables)[Name]['schema']> };

const entries = Object.entries(variables) as [VariableName, Variable][];

/** The table docs/variables.csv; `npm run generate` writes it. */
export function variablesTable(): string {
  const rows = entries.map(([name, { type, fallback, parts, meaning, wired: isWired }]) => {
    const readers =
      parts.length === processes.length
        ? 'all'
        : parts.length === servers.length
          ? 'all but runner'
          : parts === services
            ? 'services'
            : parts.join(', ');
    return [name, meaning, type, fallback, readers, isWired ? 'yes' : ''];
  });
  const cell = (text: string) => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return [['variable', 'meaning', 'type', 'default', 'read by', 'set by make up and the chart'], ...rows]
    .map((row) => `${row.map(cell).join(',')}\n`)
    .join('');
}

/** The schemas of the variables that a part reads. */
export const schemasOf = <P extends Part>(part: P) =>
  Object.fromEntries(
    entries.flatMap(([name, { parts, schema }]) => (parts.includes(part) ? [[name, schema]] : [])),
  ) as {
    [Name in NamesOf<P>]: (typeof variables)[Name]['schema'];
  };
