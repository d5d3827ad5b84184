import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeIdentities } from '@husky/platform/identities';
import { exportJWK, generateKeyPair } from 'jose';

/** Secrets of one installation, created at the first start: one file each (mode 0600) in the data folder. */
export class Secrets {
  readonly folder: string;

  constructor(dataDir: string) {
    this.folder = join(dataDir, 'secrets');
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
  }

  file(name: string): string {
    return join(this.folder, name);
  }

  /** Returns the secret `name` and creates it if missing; `made`: it is new. */
  value(
    name: string,
    make: () => string = () => randomBytes(24).toString('base64url'),
  ): { value: string; made: boolean } {
    const path = this.file(name);
    if (existsSync(path)) return { value: readFileSync(path, 'utf8').trimEnd(), made: false };
    const value = make();
    writeFileSync(path, `${value}\n`, { mode: 0o600 });
    return { value, made: true };
  }

  /** Returns the folder of the parts' identity keys and `trust.json`. Creates missing keys. */
  async identities(): Promise<string> {
    const folder = join(this.folder, 'identities');
    if (!existsSync(join(folder, 'trust.json'))) await writeIdentities(folder);
    return folder;
  }

  /** Returns the file of the key (JWK) with which auth signs access tokens. Creates it if missing. */
  async signingKey(): Promise<string> {
    const path = this.file('access-token-key.json');
    if (!existsSync(path)) {
      const { privateKey } = await generateKeyPair('EdDSA', { extractable: true });
      const kid = randomBytes(8).toString('hex');
      writeFileSync(path, JSON.stringify({ ...(await exportJWK(privateKey)), kid, alg: 'EdDSA' }), { mode: 0o600 });
    }
    return path;
  }
}
