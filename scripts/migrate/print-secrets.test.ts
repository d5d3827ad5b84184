import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadAllYaml, type V1Secret } from '@kubernetes/client-node';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

function printed(variables: Record<string, string>): V1Secret[] {
  const program = join(import.meta.dirname, 'print-secrets.ts');
  const env = { PATH: process.env.PATH, RELEASE: 'husky', NAMESPACE: 'poker', ...variables };
  return loadAllYaml(execFileSync(process.execPath, [program], { encoding: 'utf8', env })) as V1Secret[];
}

const named = (secrets: readonly V1Secret[]) =>
  secrets.map(({ metadata }) => `${metadata?.namespace}/${metadata?.name}`).sort();

test('prints every secret that the manifests read, with every key', () => {
  const secrets = printed({});
  const manifests = readFileSync(join(root, 'k8s/base/husky-holdem.yaml'), 'utf8');
  const read = [...manifests.matchAll(/secretName: ([\w-]+)/g)].map(([, name]) => name);
  expect(read.length).toBeGreaterThan(8);
  const names = secrets.map(({ metadata }) => metadata?.name);
  expect(read.filter((name) => !names.includes(name))).toEqual([]);
  const keys = (name: string) => {
    const found = secrets.find(({ metadata }) => metadata?.name === `husky-${name}`);
    return Object.keys(found?.stringData ?? {}).sort();
  };
  const own = ['database-password', 'identity.key.json', 'nats-password'];
  expect(keys('auth')).toEqual(['access-token-key.json', 'admin-password', ...own]);
  expect(keys('submission')).toEqual([...own.slice(0, 1), 'file-link-key', ...own.slice(1)]);
  expect(keys('pool')).toEqual(own);
  expect(keys('gateway')).toEqual(own.slice(1));
  expect(keys('nats')).toEqual(['route-password', 'users.conf']);
  expect(keys('migrate')).toContain('installation-id');
  expect(secrets.every(({ stringData = {} }) => Object.values(stringData).every((value) => value !== ''))).toBe(true);
});

test('prints the secret of the runners for their namespace, and with TLS the certificate of each part', () => {
  const plain = named(printed({ RUNNERS_NAMESPACE: 'players', RELEASE: 'other', FULLNAME: 'husky' }));
  expect(plain.filter((name) => name.startsWith('players/'))).toEqual(['players/husky-runner']);
  const withTls = named(printed({ TLS: '1' }));
  expect(withTls).toContain('poker/husky-tls-gateway');
  expect(withTls).toContain('poker-runners/husky-tls-runner');
  expect(withTls.filter((name) => name.includes('-tls-'))).toHaveLength(8);
});
