import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readVariables } from '../src/process/config.ts';
import { nodeArguments } from '../src/process/node-arguments.ts';
import { bucketUrl, databaseUrl, endpointUrl, natsUrl, siteUrl, urlVariables } from '../src/process/url-variables.ts';
import { variableNotes } from '../src/process/variable-notes.ts';
import { type Part, processParts, type Variable, variables, variablesTable } from '../src/process/variables.ts';

const shell = {
  PATH: '/bin',
  HOME: '/root',
  PWD: '/',
  SHELL: '/bin/sh',
  USER: 'ann',
  LANG: 'C',
  TERM: 'xterm',
  HOST: 'here',
  MAIL: '/var/mail',
  EDITOR: 'vi',
  LOGNAME: 'ann',
  HTTP_PROXY: 'http://proxy',
  NO_PROXY: '*',
  SSL_CERT_FILE: '/ca',
  NODE_ENV: 'test',
  NODE_OPTIONS: '',
  PYTHONPATH: '/lib',
  AWS_PROFILE: 'mine',
  OTEL_SERVICE_NAME: 'x',
  GRPC_VERBOSITY: 'INFO',
  KUBERNETES_SERVICE_HOST: '10.0.0.1',
  DATABASE_HOST: 'x',
  HUSKY_TASK: 'x',
  CI: '1',
  TMPDIR: '/tmp',
};

test.each<[Part, Record<string, string>, string[]]>([
  ['make up', { PORT: '8080', BOT_MEMORY_MIB: '64', LEASE_SECONDS: '', AWS_REGION: 'eu' }, []],
  [
    'make up',
    { ADMIN_USERNAM: 'x' },
    ['ADMIN_USERNAM is not a variable of this platform and has no effect; is ADMIN_USERNAME meant?'],
  ],
  [
    'make up',
    { cors_origins: 'x' },
    ['cors_origins is not a variable of this platform and has no effect; is CORS_ORIGINS meant?'],
  ],
  [
    'make up',
    { COSR_ORIGIN: 'x' },
    ['COSR_ORIGIN is not a variable of this platform and has no effect; is CORS_ORIGINS meant?'],
  ],
  ['make up', { BOT_COLOUR: 'red' }, ['BOT_COLOUR is not a variable of this platform and has no effect']],
  ['make up', { DATABASE_URL: 'x' }, ['DATABASE_URL has no effect here: make up sets it itself']],
  ['make up', { KEYCLOAK_REALM: 'x' }, ['KEYCLOAK_REALM has no effect without IDENTITY=keycloak']],
  ['make up', { KEYCLOAK_REALM: 'x', IDENTITY: 'keycloak' }, []],
  [
    'auth',
    { LEASE_SECONDS: '30', SMTP_URL: 'x' },
    ['LEASE_SECONDS has no effect in auth: it is a variable of simulation'],
  ],
  ['auth', { POOL_ADDRESS: 'x', TLS_FOLDER: 'x' }, []],
  ['auth', { TLS_CERT_FILE: 'x' }, ['TLS_CERT_FILE is not a variable of this platform and has no effect']],
])('%s is told which of its variables have no effect: %o', (part, env, notes) => {
  expect(variableNotes(part, { ...shell, ...env })).toEqual(notes);
});

const root = join(import.meta.dirname, '../../../..');

test('docs/variables.csv lists the variables (npm run generate writes it)', () => {
  expect(readFileSync(join(root, 'docs/variables.csv'), 'utf8')).toBe(variablesTable());
});

test('the chart sets only variables that the part reads, and every required one', () => {
  // The last three are of ci/options-values.yaml.
  const machine = ['HOME', 'POD', 'NAMESPACE', 'OTEL_RESOURCE_ATTRIBUTES', 'EXAMPLE', 'LIMIT', 'FLAG'];
  for (const file of globSync('charts/husky-holdem/ci/golden-{options,prod}.yaml', { cwd: root })) {
    const documents = readFileSync(join(root, file), 'utf8').split(/^---$/m);
    const deployments = documents.filter((text) => /^kind: Deployment$/m.test(text));
    for (const part of processParts) {
      const [, container] = deployments.flatMap((text) => {
        const [, after] = text.split(new RegExp(`^ +- name: ${part === 'runner' ? 'dealer' : part}$`, 'm'));
        return after === undefined ? [] : ['', after];
      });
      if (container === undefined) continue;
      const [env = ''] = /^ +env:\n[\s\S]*?^ +(?:ports|startupProbe):/m.exec(container) ?? [];
      const set = [...env.matchAll(/name: ([A-Z][A-Z0-9_]*)[,}]/g)].map(([, name]) => name ?? '');
      expect(set.length, `${part} in ${file}`).toBeGreaterThan(5);
      const own = Object.entries<Variable>(variables).filter(([, { parts }]) => parts.includes(part));
      const names = own.map(([name]) => name);
      // Every part gets the addresses of all services.
      const foreign = set.filter(
        (name) => !names.includes(name) && !name.endsWith('_ADDRESS') && !machine.includes(name),
      );
      expect(
        foreign.filter((name) => name !== 'IDENTITY_TRUST_FILE'),
        `${part} in ${file}`,
      ).toEqual([]);
      const required = own.filter(([, { schema }]) => !schema.safeParse(undefined).success).map(([name]) => name);
      expect(
        required.filter((name) => !set.includes(name)),
        `${part} in ${file}`,
      ).toEqual([]);
    }
  }
});

const shape = {
  ...urlVariables,
  NATS_URL: natsUrl,
  DATABASE_URL: databaseUrl,
  COPY_URL: bucketUrl,
  AWS_ENDPOINT_URL: endpointUrl,
};
type Name = keyof typeof shape;

const read = (name: Name, text: string) => readVariables({ [name]: shape[name] }, { [name]: text })[name];

test.each<[Name, string, string]>([
  ['PUBLIC_URL', 'https://holdem.example.org', 'https://holdem.example.org'],
  ['PUBLIC_URL', 'https://holdem.example.org/', 'https://holdem.example.org'],
  ['PUBLIC_URL', 'HTTPS://Holdem.Example.org:443//', 'https://holdem.example.org'],
  ['PUBLIC_URL', 'http://[::1]:8080', 'http://[::1]:8080'],
  ['PUBLIC_URL', 'https://bücher.example', 'https://xn--bcher-kva.example'],
  ['KEYCLOAK_URL', 'https://id.example.org/auth/', 'https://id.example.org/auth'],
  [
    'SMTP_URL',
    'SMTP://user:p%40ss@mail.example.org:2525?pool=true',
    'smtp://user:p%40ss@mail.example.org:2525?pool=true',
  ],
  ['PACKAGE_INDEX_URL', 'https://user:secret@pypi.example.org/simple/', 'https://user:secret@pypi.example.org/simple/'],
  ['COPY_URL', 's3://bucket/prefix', 's3://bucket/prefix'],
  ['WIKI_URL', '/bots', '/bots'],
  ['WIKI_URL', 'https://wiki.example.org/a/?page=1#top', 'https://wiki.example.org/a/?page=1#top'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://collector:4318/', 'http://collector:4318'],
  ['NATS_URL', 'nats://nats:4222', 'nats://nats:4222'],
  ['DATABASE_URL', 'postgresql://role@db/husky?sslmode=require', 'postgresql://role@db/husky?sslmode=require'],
])('%s accepts %s', (name, text, value) => {
  expect(read(name, text)).toBe(value);
});

const http: readonly Name[] = [
  'PUBLIC_URL',
  'KEYCLOAK_URL',
  'KEYCLOAK_INTERNAL_URL',
  'PACKAGE_INDEX_URL',
  'AWS_ENDPOINT_URL',
  'SOURCE_URL',
  'DATASET_URL',
  'WIKI_URL',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
];
const ofHttp = http.flatMap((name): [Name, string, string][] => [
  ...[
    'holdem.example.org',
    'localhost:8080',
    'http:/example.org',
    'http:example.org',
    'ftp://example.org',
    '//example.org',
  ].map((text): [Name, string, string] => [name, text, 'must begin with http:// or https://, as in ']),
  ...[' https://example.org', 'https://exa mple.org', 'https://example.org\n', 'https://example.org/\t'].map(
    (text): [Name, string, string] => [name, text, 'must not contain spaces or line breaks'],
  ),
  ...['http://a.example:0', 'http://a.example:65536', 'http://[::1]:0/'].map((text): [Name, string, string] => [
    name,
    text,
    'must have a port from 1 to 65535',
  ]),
  ...['http://', 'https:///path', 'https://:80'].map((text): [Name, string, string] => [name, text, 'has no host']),
  [name, 'http://a%20b', 'is not a URL such as'],
  [name, 'http://1.2.3.4.5', 'is not a URL such as'],
]);

test.each<[Name, string, string]>([
  ...ofHttp,
  ['PUBLIC_URL', 'https://club.example/poker', 'must not have a path: the site needs a host of its own'],
  ['PUBLIC_URL', 'https://club.example/poker/', 'must not have a path'],
  ['PUBLIC_URL', 'https://club.example\\poker', 'must not have a path'],
  ['PUBLIC_URL', 'https://club.example?a=b', 'must not have a query (?)'],
  ['PUBLIC_URL', 'https://club.example/?', 'must not have a query (?)'],
  ['PUBLIC_URL', 'https://club.example/#top', 'must not have a fragment (#)'],
  ...(['PUBLIC_URL', 'KEYCLOAK_URL', 'SOURCE_URL', 'AWS_ENDPOINT_URL'] as const).map((name): [Name, string, string] => [
    name,
    'https://user:secret@club.example',
    'must not contain a user name or password',
  ]),
  ['NATS_URL', 'nats://user:secret@nats:4222', 'must not contain a user name or password'],
  ['NATS_URL', 'nats:4222', 'must begin with nats:// or tls://'],
  ['KEYCLOAK_URL', 'https://id.example.org/?realm=a', 'must not have a query (?)'],
  [
    'SMTP_URL',
    'smtp://user:sec#ret@mail.example.org',
    'special characters of a user name or password must be percent-encoded',
  ],
  [
    'SMTP_URL',
    'smtp://user:sec/ret@mail.example.org',
    'special characters of a user name or password must be percent-encoded',
  ],
  ['SMTP_URL', 'smtp://user:sec%ret@mail.example.org', 'has a % in its user name or password'],
  ['SMTP_URL', 'mail.example.org:25', 'must begin with smtp:// or smtps://'],
  ['SMTP_URL', 'https://user:secret@mail.example.org', 'must begin with smtp:// or smtps://'],
  ['SMTP_URL', 'smtp://user:secret@mail.example.org:0', 'must have a port from 1 to 65535'],
  ['SMTP_URL', 'smtp://', 'has no host'],
  ['PACKAGE_INDEX_URL', 'https://user:secret@pypi.example.org/simple#a', 'must not have a fragment (#)'],
  ['COPY_URL', '/srv/hands', 'must begin with s3://, as in s3://bucket/prefix'],
  ['COPY_URL', 's3:///prefix', 'has no host'],
  ['COPY_URL', 's3://key:secret@bucket', 'must not contain a user name or password'],
  ['COPY_URL', 's3://bucket:9000/prefix', 'must not have a port'],
  ['COPY_URL', 's3://bucket?region=eu', 'must not have a query (?)'],
  ['WIKI_URL', '//evil.example', 'or be a path of the site'],
  ['DATABASE_URL', 'mysql://role:secret@db/husky', 'must begin with postgresql:// or postgres://'],
])('%s refuses %j in one sentence without its secrets', (name, text, problem) => {
  const refused = () => read(name, text);
  expect(refused).toThrow(`The configuration is not valid: ${name} `);
  expect(refused).toThrow(problem);
  expect(refused).not.toThrow(/sec.{0,3}ret/);
});

test('lists every missing and invalid variable', () => {
  expect(() => readVariables({ ...shape, ORIGIN: siteUrl }, { PUBLIC_URL: 'ftp://a', KEYCLOAK_URL: '' })).toThrow(
    /PUBLIC_URL must begin with .*; KEYCLOAK_URL is missing; .*ORIGIN is missing/,
  );
});

// The parts that read PUBLIC_URL: each ends before it opens a port or starts another program.
test.each([
  ['gateway', 'gateway/src/main.ts'],
  ['auth', 'services/auth/src/main.ts'],
  ['make up', 'scripts/up/main.ts'],
  ['make keycloak', 'scripts/keycloak/start.ts'],
])('%s refuses a path in PUBLIC_URL at its start, in one line', (_, program) => {
  const { PATH = '', HOME = '' } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, [...nodeArguments, join(root, program)], {
    env: { PATH, HOME, PUBLIC_URL: 'https://club.example/poker', DATA_DIR: '/nowhere' },
    encoding: 'utf8',
  });
  const lines = `${stdout}${stderr}`.trimEnd().split('\n');
  expect(lines).toEqual([expect.stringContaining('PUBLIC_URL must not have a path: the site needs a host of its own')]);
  expect(status).toBe(1);
});
