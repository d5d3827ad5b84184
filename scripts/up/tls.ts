import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { issuers } from '@husky/platform/identities';
import type { Entries } from '../migrate/certificates.ts';
import type { Secrets } from './secrets.ts';

/** Returns the variables of a part for TLS between the services; none without TLS=1. */
export type TlsOf = (part: string) => Readonly<Record<string, string>>;

/** Creates the CA and creates or renews the certificates in the data folder, as the chart's secrets Job does in Kubernetes. */
export async function prepareTls(secrets: Secrets, enabled: boolean): Promise<TlsOf> {
  if (!enabled) return () => ({});
  // Loaded only here, to save memory.
  const { createCa, renewCertificate } = await import('../migrate/certificates.ts');

  const folder = (name: string) => join(secrets.folder, 'tls', name);
  const authority = read(folder('ca')) ?? (await createCa('husky'));
  write(folder('ca'), authority);
  for (const part of issuers) {
    write(folder(part), await renewCertificate(part, authority, read(folder(part)), new Date()));
  }
  return (part) => ({ TLS_FOLDER: folder(part) });
}

const names = ['tls.crt', 'tls.key', 'ca.crt'];

function read(folder: string): Entries | undefined {
  if (!names.every((name) => existsSync(join(folder, name)))) return undefined;
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

function write(folder: string, entries: Entries): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const [name, text] of Object.entries(entries)) writeFileSync(join(folder, name), text, { mode: 0o600 });
}
