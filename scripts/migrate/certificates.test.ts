import { X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { freshAuthority, renewCertificate } from './certificates.ts';

const dayMs = 86_400_000;
const authority = await freshAuthority('husky');
const now = new Date();
const first = await renewCertificate('live-data', authority, undefined, now);
const certificateOf = (entries: Record<string, string>) => new X509Certificate(entries['tls.crt'] ?? '');

test('issues a certificate for two years with the name of the part, signed by the CA', async () => {
  const certificate = certificateOf(first);
  expect(certificate.checkHost('live-data')).toBe('live-data');
  expect(certificate.checkIssued(certificateOf(authority))).toBe(true);
  expect(first['ca.crt']).toBe(authority['tls.crt']);
  expect(Math.round((Date.parse(certificate.validTo) - now.getTime()) / dayMs)).toBe(730);
});

test('keeps a certificate in the first half of its validity and replaces it in the second', async () => {
  expect(await renewCertificate('live-data', authority, first, new Date(now.getTime() + 360 * dayMs))).toEqual(first);
  const later = await renewCertificate('live-data', authority, first, new Date(now.getTime() + 370 * dayMs));
  expect(later['tls.crt']).not.toBe(first['tls.crt']);
});

test('adds a second CA to the trusted ones first, and issues from it once its key is present', async () => {
  const next = await freshAuthority('husky');
  const both = `${authority['tls.crt']}${next['tls.crt']}`;
  const trusted = await renewCertificate('live-data', { ...authority, 'ca.crt': both }, first, now);
  expect(trusted).toEqual({ ...first, 'ca.crt': both });
  const replaced = await renewCertificate('live-data', { ...next, 'ca.crt': both }, trusted, now);
  expect(certificateOf(replaced).verify(certificateOf(next).publicKey)).toBe(true);
});

test.each([
  ['of another part', await renewCertificate('auth', authority, undefined, now)],
  ['that cannot be read', { ...first, 'tls.crt': 'half' }],
  ['without its key', { 'tls.crt': first['tls.crt'] ?? '' }],
])('replaces a certificate %s', async (_which, before) => {
  const renewed = await renewCertificate('live-data', authority, before, now);
  expect(certificateOf(renewed).checkHost('live-data')).toBe('live-data');
  expect(renewed['tls.key']).not.toBe(first['tls.key']);
});
