import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
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
