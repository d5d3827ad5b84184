import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportJWK, generateKeyPair, type JWK } from 'jose';

/** Processes that sign identities, each with its own key (see lib/runtime/src/rpc/identity.ts). */
export const issuers = [
  'gateway',
  'auth',
  'submission',
  'simulation',
  'live-data',
  'leaderboard',
  'pool',
  'runner',
] as const;

/** Writes `<issuer>.key.json` for each issuer and `trust.json` with all public keys into `folder`, mode 0600. */
export async function writeIdentities(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const trusted: Record<string, JWK[]> = {};
  for (const issuer of issuers) {
    const { privateKey, publicKey } = await generateKeyPair('EdDSA', { extractable: true });
    const kid = `${issuer}-${Date.now().toString(36)}`;
    const key = { ...(await exportJWK(privateKey)), kid, alg: 'EdDSA' };
    writeFileSync(join(folder, `${issuer}.key.json`), JSON.stringify({ issuer, key }), { mode: 0o600 });
    trusted[issuer] = [{ ...(await exportJWK(publicKey)), kid, alg: 'EdDSA' }];
  }
  writeFileSync(join(folder, 'trust.json'), JSON.stringify({ issuers: trusted }), { mode: 0o644 });
}
