import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

export interface OsUser {
  readonly uid: number;
  readonly gid: number;
}

/** Returns the account for PostgreSQL, which refuses to run as root: postgres where it exists, else nobody. Undefined when this process is not root. */
export function unprivilegedUser(): OsUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody']) {
    const fields = accounts.find((line) => line.startsWith(`${name}:`))?.split(':');
    if (fields) return { uid: Number(fields[2]), gid: Number(fields[3]) };
  }
  throw new Error('PostgreSQL does not run as root and there is no account postgres or nobody to run it as');
}

/** Returns whether other users may enter `path` and every folder above it. False for example in a home of mode 0700. */
export function reachableByOthers(path: string): boolean {
  for (let folder = path; ; folder = dirname(folder)) {
    if (existsSync(folder) && (statSync(folder).mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

/** Creates a folder if needed, with mode 0700, and makes the user the owner of it and its content. */
export function giveFolder(path: string, user: OsUser | undefined): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  if (!user) return;
  chmodSync(path, 0o700);
  if (statSync(path).uid !== user.uid) {
    chownSync(path, user.uid, user.gid);
    execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, path]);
  }
}

/** Returns the path of a copy of programs in a folder that every user can reach. Copies once per `name`. */
export function reachableCopy(source: string, name: string): string {
  const target = join('/var/cache/husky-holdem', name);
  if (!existsSync(join(target, '.complete'))) {
    mkdirSync(target, { recursive: true });
    cpSync(source, target, { recursive: true, verbatimSymlinks: true });
    cpSync('/dev/null', join(target, '.complete'), { force: true });
  }
  return target;
}

/**
 * Returns a folder for data that other users must reach. This is `path` itself, or, if other users cannot enter a folder above
 * it, a folder under /var/lib to which `path` becomes a link; the second case needs root.
 */
export function reachableDataFolder(path: string): string {
  if (reachableByOthers(dirname(path))) {
    mkdirSync(path, { recursive: true });
    return path;
  }
  const target = join('/var/lib/husky-holdem', Buffer.from(path).toString('base64url'));
  mkdirSync(target, { recursive: true });
  if (!lstatSync(path, { throwIfNoEntry: false })) {
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(target, path);
  }
  return target;
}
