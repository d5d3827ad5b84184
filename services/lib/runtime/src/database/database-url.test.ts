import { describe, expect, test } from 'vitest';
import { connectionMistake, connectionOptions } from './database-url.ts';

const url = 'postgresql://husky_auth@db.example.org/husky';

describe('connectionOptions', () => {
  test('reads host, default port, role and database, and takes the password apart from the URL', () => {
    expect(connectionOptions(url, 'p@ss')).toMatchObject({
      host: 'db.example.org',
      port: 5432,
      user: 'husky_auth',
      database: 'husky',
      password: 'p@ss',
    });
    expect(connectionOptions(url, 'p@ss').ssl).toBeUndefined();
  });

  test('decodes a password in the URL', () => {
    expect(connectionOptions('postgresql://a:p%40ss@h:5433/d')).toMatchObject({ port: 5433, password: 'p@ss' });
  });

  test('does not verify the certificate with sslmode=require, as libpq', () => {
    expect(connectionOptions(`${url}?sslmode=require`).ssl).toMatchObject({ rejectUnauthorized: false });
    expect(connectionOptions(`${url}?sslmode=verify-full`).ssl).toEqual({ host: 'db.example.org' });
  });

  test.each([
    ['sslmode=prefer', 'sslmode=prefer; possible are disable, require'],
    ['sslmode=verify-ca', 'sslmode=verify-ca without sslrootcert'],
    ['schema=auth', 'unknown parameter schema'],
    ['connect_timeout=soon', 'connect_timeout'],
    ['sslmode=verify-full&sslrootcert=/missing/ca.crt', 'The file /missing/ca.crt of the database URL cannot be read'],
  ])('refuses %s in one sentence', (query, sentence) => {
    expect(() => connectionOptions(`${url}?${query}`)).toThrow(sentence);
  });
});

describe('connectionMistake', () => {
  test('names the missing TLS of a server that requires it', () => {
    const refused = Object.assign(new Error('no pg_hba.conf entry for host "::1", no encryption'), { code: '28000' });
    expect(connectionMistake(refused)).toContain('accepts TLS connections only');
  });

  test('is silent about errors that a retry can overcome', () => {
    expect(connectionMistake(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))).toBeUndefined();
  });
});
