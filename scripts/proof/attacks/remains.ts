import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isZygote } from '../chaos/processes.ts';

const mark = 'husky-attack';
/** Returns whether this is a user id of seats on a host that runs as root (services/runner/seat/husky_seat/uids.py). */
const isSeatUser = (uid: number) => uid >= 61_000 && uid <= 61_183;
/** Descriptors of a zygote between matches. */
const zygoteDescriptors = 8;
/** Folders that every user of a machine can write to. */
const publicFolders = ['/tmp', '/var/tmp', '/dev/shm', '/dev/mqueue'];

interface ProcessInfo {
  readonly pid: number;
  readonly parent: number;
  readonly name: string;
}

function readOr<T>(read: () => T, fallback: T): T {
  try {
    return read();
  } catch (error) {
    // The process has ended or the folder does not exist.
    if (!(error instanceof Error)) throw error;
    return fallback;
  }
}

function listProcesses(): ProcessInfo[] {
  return readdirSync('/proc').flatMap((entry) => {
    if (!/^[0-9]+$/.test(entry)) return [];
    const stat = readOr(() => readFileSync(join('/proc', entry, 'stat'), 'latin1'), '');
    const end = stat.lastIndexOf(')');
    if (end < 0) return [];
    const name = stat.slice(stat.indexOf('(') + 1, end);
    return [{ pid: Number(entry), parent: Number(stat.slice(end + 2).split(' ')[1]), name }];
  });
}

/** Returns the process with the id `root` and all its descendants. */
function findProcessTree(root: number): ProcessInfo[] {
  const all = listProcesses();
  const found = all.filter(({ pid }) => pid === root);
  for (let at = 0; at < found.length; at++) found.push(...all.filter(({ parent }) => parent === found[at]?.pid));
  return found;
}

/** Returns the paths of all files and folders in a folder and its subfolders, without entries named in `skip`. */
function listPaths(folder: string, skip: readonly string[] = []): string[] {
  const entries = readOr(() => readdirSync(folder, { withFileTypes: true }), []);
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (skip.includes(entry.name)) return [];
    return entry.isDirectory() ? [path, ...listPaths(path, skip)] : [path];
  });
}

/** State that seats can leave behind: state of one platform, and files and processes with the corpus's mark in their names. */
export interface Remains {
  readonly processes: readonly string[];
  readonly files: readonly string[];
  readonly ipc: readonly string[];
  /** Open descriptors of the runners' processes. */
  readonly descriptors: number;
  /** Bytes of deleted files that the runners' processes hold open. */
  readonly unlinkedBytes: number;
  /** Bytes in the runners' folders, without bots and packages. */
  readonly bytes: number;
}

/** Collects the state of a platform's processes (`root` and its descendants), its runners' folders, public folders and System V IPC. */
export function collectRemains(root: number, runFolders: readonly string[]): Remains {
  const tree = findProcessTree(root);
  const seats = tree.filter(({ name }) => /^seat-[0-9]+ /.test(name));
  const marked = listProcesses().filter(({ name }) => name.includes(mark.slice(0, 12)));
  const runners = tree.filter(({ name }) => /seat|python|node|MainThread/.test(name));
  let descriptors = 0;
  let unlinkedBytes = 0;
  for (const { pid, name } of runners) {
    const folder = `/proc/${pid}/fd`;
    const open = readOr(() => readdirSync(folder), []);
    // Further zygotes start when they are first needed.
    descriptors += isZygote({ name }) ? Math.max(0, open.length - zygoteDescriptors) : open.length;
    for (const fd of open) {
      const path = readOr(() => readlinkSync(join(folder, fd)), '');
      if (path.endsWith('(deleted)')) unlinkedBytes += readOr(() => statSync(join(folder, fd)).blocks * 512, 0);
    }
  }
  const ipc = ['shm', 'msg', 'sem'].flatMap((kind) => {
    const [head = '', ...lines] = readOr(() => readFileSync(`/proc/sysvipc/${kind}`, 'utf8'), '')
      .trim()
      .split('\n');
    const column = head.trim().split(/\s+/).indexOf('uid');
    return lines
      .filter((line) => isSeatUser(Number(line.trim().split(/\s+/)[column])))
      .map((line) => `${kind} ${line}`);
  });
  const skip = ['bots', 'packages'];
  const inRunners = runFolders.flatMap((folder) => listPaths(folder, skip));
  const inPublic = publicFolders.flatMap((folder) =>
    readOr(() => readdirSync(folder), [])
      .filter((name) => name.includes(mark))
      .map((name) => join(folder, name)),
  );
  return {
    processes: [...seats, ...marked].map(({ pid, name }) => `${pid} ${name}`),
    files: [...inRunners.filter((path) => /\/scratch\//.test(path) || path.includes(mark)), ...inPublic],
    ipc,
    descriptors,
    unlinkedBytes,
    bytes: inRunners.reduce((sum, path) => sum + readOr(() => statSync(path).blocks * 512, 0), 0),
  };
}

/** Permitted growth. The number of descriptors varies with connections and logs; a leak of one per match would exceed this by far. */
const descriptorSlack = 60;
const byteSlack = 32 << 20;

/** Returns a sentence for each kind of state that exists now and did not exist before. */
export function findNewRemains(before: Remains, now: Remains): string[] {
  const problems: string[] = [];
  const compare = (kind: string, old: readonly string[], current: readonly string[]) => {
    const added = current.filter((entry) => !old.includes(entry));
    if (added.length > 0) problems.push(`${added.length} ${kind} left behind: ${added.slice(0, 5).join('; ')}`);
  };
  compare('processes', before.processes, now.processes);
  compare('files', before.files, now.files);
  compare('System V objects', before.ipc, now.ipc);
  if (now.descriptors > before.descriptors + descriptorSlack)
    problems.push(`${now.descriptors} descriptors are open, before ${before.descriptors}`);
  if (now.unlinkedBytes > before.unlinkedBytes + byteSlack)
    problems.push(`${now.unlinkedBytes >> 20} MiB are held by deleted files that are still open`);
  if (now.bytes > before.bytes + byteSlack)
    problems.push(`the runners' folders contain ${now.bytes >> 20} MiB, before ${before.bytes >> 20} MiB`);
  return problems;
}
