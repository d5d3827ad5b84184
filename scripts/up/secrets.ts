import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeIdentities } from '@husky/platform/identities';
import { exportJWK, generateKeyPair } from 'jose';

/** The secrets of an installation, created at the first start. Each is a file (mode 0600) in the data folder. */
export class Secrets {
  readonly folder: string;

  constructor(dataDir: string) {
    this.folder = join(dataDir, 'secrets');
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
  }

  file(name: string): string {
    return join(this.folder, name);
  }

  /** Returns a secret. Creates it if it is missing; `created` is then true. */
  value(
    name: string,
    create: () => string = () => randomBytes(24).toString('base64url'),
  ): { value: string; created: boolean } {
    const path = this.file(name);
    if (existsSync(path)) return { value: readFileSync(path, 'utf8').trimEnd(), created: false };
    const value = create();
    writeFileSync(path, `${value}\n`, { mode: 0o600 });
    return { value, created: true };
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
