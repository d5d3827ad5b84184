import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@husky/platform/free-port';
import { type ServerProcess, startServer } from '@husky/platform/server-process';
import { retry } from '@husky/runtime/process/retry';
import { applySettings } from './apply-settings.ts';
import { findJava, installKeycloak } from './install.ts';
import { platformClient, realm, realmFile, realmVariables, webClient } from './realm.ts';

export interface KeycloakOptions {
  /** 0 or undefined: any free port. */
  readonly port?: number;
  /** Folder of the database; undefined: the database is in memory and is lost when Keycloak stops. */
  readonly dataDir?: string;
  /** Address of the site, permitted as redirect target. */
  readonly publicUrl?: string;
  /** Secret of the client `husky-platform`; undefined: a generated one. */
  readonly clientSecret?: string;
  /** Password of Keycloak's administrator, set at the first start with a data folder; undefined: a generated one. */
  readonly adminPassword?: string;
  /** smtp:// or smtps://, for mails that Keycloak's own pages send. */
  readonly smtpUrl?: string;
  readonly onLog?: (line: string) => void;
}

export interface Keycloak extends ServerProcess {
  /** Without a trailing slash. Browsers and services use the same URL. */
  readonly url: string;
  readonly realm: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly webClientId: string;
  readonly adminUser: string;
  readonly adminPassword: string;
}

const adminUser = 'keycloak-admin';
const startTimeoutMs = 180_000;
const stopGraceMs = 15_000;
const createSecret = () => randomBytes(24).toString('base64url');

/**
 * Starts Keycloak with our realm on a loopback port. Returns when the realm is reachable, after about 20 s with a new database and 10 s
 * with an existing one. Throws an Error if Keycloak cannot be installed or does not start.
 */
export async function startKeycloak(options: KeycloakOptions = {}): Promise<Keycloak> {
  const { onLog, clientSecret = createSecret(), adminPassword = createSecret() } = options;
  const publicUrl = (options.publicUrl ?? 'http://localhost:8080').replace(/\/+$/, '');
  const [java, installed] = await Promise.all([findJava(), installKeycloak((line) => onLog?.(line))]);
  const home = options.dataDir ?? mkdtempSync(join(tmpdir(), 'husky-keycloak-'));
  const isNew = !existsSync(join(home, 'data/h2'));
  linkHome(home, installed);

  const port = options.port || (await freePort());
  const url = `http://localhost:${port}`;
  const variables = realmVariables({ publicUrl, clientSecret, smtpUrl: options.smtpUrl });
  const removeHome = () => {
    if (options.dataDir === undefined) rmSync(home, { recursive: true, force: true });
  };
  try {
    const server = await startServer(
      {
        command: java,
        args: [...javaOptions(home), ...serverOptions(port, url, options.dataDir === undefined)],
        cwd: home,
        env: {
          ...process.env,
          ...variables,
          KC_BOOTSTRAP_ADMIN_USERNAME: adminUser,
          KC_BOOTSTRAP_ADMIN_PASSWORD: adminPassword,
        },
        onLog,
        graceMs: stopGraceMs,
      },
      async (signal) => {
        await waitForRealm(url, signal);
        // Keycloak imports the realm file only at the first start. Later changes are applied through its API.
        if (!isNew) await applySettings({ url, adminUser, adminPassword, variables });
      },
      (tail) => `Keycloak ended during its start: ${findCause(tail)}`,
    );
    const stop = () => server.stop().finally(removeHome);
    const clients = { clientId: platformClient, clientSecret, webClientId: webClient };
    return { ...server, url, realm, ...clients, adminUser, adminPassword, stop };
  } catch (error) {
    removeHome();
    throw error;
  }
}

/** Creates a home folder for Keycloak with its own data and links to the installed programs. */
function linkHome(home: string, installed: string): void {
  for (const name of ['bin', 'conf', 'lib', 'providers', 'themes']) {
    const link = join(home, name);
    mkdirSync(home, { recursive: true, mode: 0o700 });
    if (lstatSync(link, { throwIfNoEntry: false })) rmSync(link);
    symlinkSync(join(installed, name), link);
  }
  mkdirSync(join(home, 'data/import'), { recursive: true });
  copyFileSync(realmFile, join(home, 'data/import/realm.json'));
}

/** Returns the Java options of Keycloak's kc.sh, which is not used because it adds a shell process, and that of the fast compiler. */
function javaOptions(home: string): string[] {
  const opened = ['java.util', 'java.util.concurrent', 'java.security'];
  return [
    '-Xms64m',
    '-Xmx512m',
    '-XX:MaxMetaspaceSize=256m',
    '-XX:+UseSerialGC',
    '-XX:TieredStopAtLevel=1',
    '-XX:+ExitOnOutOfMemoryError',
    '-Djava.security.egd=file:/dev/urandom',
    '-Dfile.encoding=UTF-8',
    ...opened.map((name) => `--add-opens=java.base/${name}=ALL-UNNAMED`),
    '-Djava.util.concurrent.ForkJoinPool.common.threadFactory=io.quarkus.bootstrap.forkjoin.QuarkusForkJoinWorkerThreadFactory',
    '-Duser.language=en',
    '-Duser.country=US',
    `-Dkc.home.dir=${home}`,
    '-cp',
    join(home, 'lib/quarkus-run.jar'),
    'io.quarkus.bootstrap.runner.QuarkusEntryPoint',
  ];
}

function serverOptions(port: number, url: string, inMemory: boolean): string[] {
  return [
    'start',
    '--optimized',
    '--import-realm',
    '--cache=local',
    '--log-level=warn,io.quarkus:info',
    '--http-enabled=true',
    '--http-host=127.0.0.1',
    `--http-port=${port}`,
    `--hostname=${url}`,
    ...(inMemory ? ['--db-url=jdbc:h2:mem:keycloak;NON_KEYWORDS=VALUE;DB_CLOSE_DELAY=-1'] : []),
  ];
}

function waitForRealm(url: string, signal: AbortSignal): Promise<void> {
  const attempt = async () => {
    const response = await fetch(`${url}/realms/${realm}`, { signal: AbortSignal.timeout(5000) });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`Keycloak returned ${response.status}`);
  };
  return retry(attempt, { signal, firstPauseMs: 150, maxPauseMs: 150, maxMs: startTimeoutMs, retryIf: () => true });
}

function findCause(tail: string): string {
  const lines = tail.split('\n');
  return lines.find((line) => line.includes('ERROR')) ?? lines.at(-1) ?? 'its log is empty';
}
