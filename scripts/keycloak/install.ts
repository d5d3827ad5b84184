import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify, stripVTControlCharacters } from 'node:util';

const run = promisify(execFile);

export const keycloakVersion = '26.4.7';
const artifact = `org.keycloak:keycloak-quarkus-dist:${keycloakVersion}:tar.gz`;
const archive = `keycloak-quarkus-dist-${keycloakVersion}.tar.gz`;
const sha256 = 'aca60ab72ae4d67adc6b8fe7fca5e08d16a6bb5e4a4f2ebb54050e3f5503fd2b';
// Options that are compiled into the server. Another installation is created in the cache if they change.
const buildOptions = ['--db=dev-file'];

/** Thrown if Keycloak, Java or Maven cannot be installed. The message is a sentence for the user. */
export class CannotInstall extends Error {}

/** Installs Keycloak and Java if they are missing. Throws CannotInstall if that is not possible on this machine. */
export async function prepareKeycloak(print: (line: string) => void): Promise<void> {
  await Promise.all([findJava(), installKeycloak(print)]);
}

/** Returns the command of a Java 17 or newer. If there is none and this process is root, installs one with apt-get. */
export async function findJava(): Promise<string> {
  const command = process.env.JAVA_HOME ? join(process.env.JAVA_HOME, 'bin/java') : 'java';
  if ((await javaVersion(command)) >= 17) return command;
  await installWithApt('openjdk-17-jre-headless', 'Java 17 or newer is needed to run Keycloak');
  if ((await javaVersion('/usr/bin/java')) >= 17) return '/usr/bin/java';
  throw new CannotInstall('Java 17 or newer is needed to run Keycloak: install it, or set JAVA_HOME to its folder.');
}

async function javaVersion(command: string): Promise<number> {
  try {
    const { stderr } = await run(command, ['-version']);
    return Number(/version "(\d+)/.exec(stderr)?.[1] ?? 0);
  } catch {
    return 0;
  }
}

async function installWithApt(packages: string, requirement: string): Promise<void> {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    throw new CannotInstall(`${requirement}: install it (Debian's package ${packages}).`);
  }
  try {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    await run('apt-get', ['update', '-qq'], { env });
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', packages], { env });
  } catch (error) {
    throw new CannotInstall(`${requirement}, and apt-get could not install ${packages}: ${causeOf(error)}`);
  }
}

/** Returns the folder of an unpacked and compiled Keycloak. If the cache has none, downloads it with Maven. */
export async function installKeycloak(print: (line: string) => void): Promise<string> {
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'husky-holdem/keycloak');
  const home = join(
    cache,
    `${keycloakVersion}-${createHash('sha256').update(buildOptions.join()).digest('hex').slice(0, 8)}`,
  );
  if (existsSync(join(home, '.complete'))) return home;
  mkdirSync(cache, { recursive: true });
  // Created in a temporary folder that is then renamed, so that concurrent installations do not collide and no incomplete one is used.
  const work = mkdtempSync(join(cache, 'new-'));
  try {
    print(`downloading Keycloak ${keycloakVersion} with Maven (150 MB, once)`);
    await download(work);
    await run('tar', ['-xzf', archive, '--strip-components=1', '--one-top-level=home'], { cwd: work });
    print('compiling Keycloak (once)');
    await run(join(work, 'home/bin/kc.sh'), ['build', ...buildOptions], { maxBuffer: 2 ** 24 }).catch(
      (error: unknown) => {
        throw new CannotInstall(`Keycloak could not be compiled: ${causeOf(error)}`);
      },
    );
    writeFileSync(join(work, 'home/.complete'), '');
    rmSync(home, { recursive: true, force: true });
    renameSync(join(work, 'home'), home);
  } catch (error) {
    // A concurrent installation was faster.
    if (!existsSync(join(home, '.complete'))) throw error;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return home;
}

async function download(folder: string): Promise<void> {
  if (
    !(await run('mvn', ['--version']).then(
      () => true,
      () => false,
    ))
  ) {
    await installWithApt('maven', 'Maven is needed to download Keycloak');
  }
  try {
    const goal = 'org.apache.maven.plugins:maven-dependency-plugin:2.8:copy';
    const options = [`-Dartifact=${artifact}`, `-DoutputDirectory=${folder}`];
    await run('mvn', ['-q', '-B', goal, ...options], { cwd: folder, maxBuffer: 2 ** 24 });
  } catch (error) {
    throw new CannotInstall(`Keycloak could not be downloaded with Maven: ${causeOf(error)}`);
  }
  const hash = createHash('sha256');
  await pipeline(createReadStream(join(folder, archive)), hash);
  if (hash.digest('hex') !== sha256) {
    // Not a CannotInstall, which skips the suite: a wrong archive must be a failure.
    throw new Error(`Keycloak's archive has an unexpected checksum.`);
  }
}

/** Returns the first error line of a command's output, otherwise its last line. */
function causeOf(error: unknown): string {
  const {
    stdout = '',
    stderr = '',
    message = String(error),
  } = error as { stdout?: string; stderr?: string; message?: string };
  const lines = `${stdout}\n${stderr}`.split('\n').filter((line) => line.trim() !== '');
  const line = lines.find((line) => line.includes('ERROR')) ?? lines.at(-1) ?? message;
  return stripVTControlCharacters(line).replace('[ERROR]', '').trim();
}
