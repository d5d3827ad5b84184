import { X509Certificate } from 'node:crypto';
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
