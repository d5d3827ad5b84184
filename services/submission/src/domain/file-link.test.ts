import { expect, test } from 'vitest';
import { fileLinkSeconds, openFileLink, signFileLink } from './file-link.ts';

const now = Date.UTC(2026, 0, 1);
const token = signFileLink('key', 'file-1', now);

test('a link opens its file until it expires', () => {
  expect(openFileLink('key', token, now)).toBe('file-1');
  expect(openFileLink('key', token, now + fileLinkSeconds * 1000 - 1)).toBe('file-1');
  expect(() => openFileLink('key', token, now + fileLinkSeconds * 1000)).toThrow('has expired');
});

test('refuses a forged link', () => {
  const [body = '', mac = ''] = token.split('.');
  const other = Buffer.from(`file-2.${now}`).toString('base64url');
  for (const forged of ['', 'a.b', body, `${other}.${mac}`, `${body}.${mac.slice(1)}`]) {
    expect(() => openFileLink('key', forged, now)).toThrow('not valid');
  }
  expect(() => openFileLink('other key', token, now)).toThrow('not valid');
});
