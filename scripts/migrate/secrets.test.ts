import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadAllYaml, type V1Secret } from '@kubernetes/client-node';
import { expect, test } from 'vitest';
import { createCa, renewCertificate } from './certificates.ts';

const dayMs = 86_400_000;
const authority = await createCa('husky');
const now = new Date();
const first = await renewCertificate('live-data', authority, undefined, now);
const parseCertificate = (entries: Record<string, string>) => new X509Certificate(entries['tls.crt'] ?? '');

test('issues a certificate for two years with the name of the part, signed by the CA', async () => {
  const certificate = parseCertificate(first);
  expect(certificate.checkHost('live-data')).toBe('live-data');
  expect(certificate.checkIssued(parseCertificate(authority))).toBe(true);
  expect(first['ca.crt']).toBe(authority['tls.crt']);
  expect(Math.round((Date.parse(certificate.validTo) - now.getTime()) / dayMs)).toBe(730);
});

test('keeps a certificate in the first half of its validity and replaces it in the second', async () => {
  expect(await renewCertificate('live-data', authority, first, new Date(now.getTime() + 360 * dayMs))).toEqual(first);
  const later = await renewCertificate('live-data', authority, first, new Date(now.getTime() + 370 * dayMs));
  expect(later['tls.crt']).not.toBe(first['tls.crt']);
});

test('during a replacement of the CA trusts both, and reissues certificates once the new key is present', async () => {
  const next = await createCa('husky');
  const both = `${authority['tls.crt']}${next['tls.crt']}`;
  const trusted = await renewCertificate('live-data', { ...authority, 'ca.crt': both }, first, now);
  expect(trusted).toEqual({ ...first, 'ca.crt': both });
  const replaced = await renewCertificate('live-data', { ...next, 'ca.crt': both }, trusted, now);
  expect(parseCertificate(replaced).verify(parseCertificate(next).publicKey)).toBe(true);
});

test.each([
  ['for another part', await renewCertificate('auth', authority, undefined, now)],
  ['that cannot be read', { ...first, 'tls.crt': 'half' }],
  ['without a private key', { 'tls.crt': first['tls.crt'] ?? '' }],
])('replaces a certificate %s', async (_which, before) => {
  const renewed = await renewCertificate('live-data', authority, before, now);
  expect(parseCertificate(renewed).checkHost('live-data')).toBe('live-data');
  expect(renewed['tls.key']).not.toBe(first['tls.key']);
});

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
