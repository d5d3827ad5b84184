import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { startOwnPlatform } from '../up/own-platform.ts';

const root = join(import.meta.dirname, '../..');

/** The platform that the demo uses. */
export interface DemoPlatform {
  readonly origin: string;
  /** Data folder with its secrets; undefined: the default of `make up`. */
  readonly dataDir?: string;
  /** Set only if the demo started the platform; `stop` stops it. */
  readonly own?: { readonly adminPassword: string; stop(): Promise<void> };
}

/**
 * Returns the platform at ORIGIN or on PORT. If there is none, starts one with its data in DATA_DIR, by default in a temporary
 * folder that is deleted when it stops, so that a demo leaves nothing in `.data`.
 */
export async function demoPlatform(
  environment: NodeJS.ProcessEnv,
  print: (text: string) => void,
): Promise<DemoPlatform> {
  const origin = environment.ORIGIN ?? `http://localhost:${environment.PORT ?? 8080}`;
  if (environment.ORIGIN !== undefined || (await isRunning(origin))) return { origin };
  const { DATA_DIR: dataDir, PORT = '8080', ADMIN_PASSWORD = randomBytes(12).toString('base64url') } = environment;
  const folder = dataDir === undefined ? 'a temporary folder' : resolve(root, dataDir);
  print(`no platform at ${origin}: starting one with its data in ${folder}`);
  execFileSync(process.execPath, ['scripts/build-web.ts'], { cwd: root, stdio: 'inherit' });
  const variables: Record<string, string> = { PORT, ADMIN_PASSWORD };
  if (dataDir !== undefined) variables.DATA_DIR = resolve(root, dataDir);
  const platform = await startOwnPlatform(variables);
  print(`the platform is up at ${platform.origin}`);
  const { password } = platform.admin;
  return { origin: platform.origin, dataDir: platform.dataDir, own: { adminPassword: password, stop: platform.stop } };
}

async function isRunning(origin: string): Promise<boolean> {
  try {
    await fetch(`${origin}/healthz`, { signal: AbortSignal.timeout(5000) });
    return true;
  } catch (error) {
    // A slow server is still a running server: do not start another one on its port.
    return !(error instanceof TypeError);
  }
}
