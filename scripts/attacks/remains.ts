import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';

const mark = 'husky-attack';
/** User ids of seats, where the host is root (services/runner/seat/husky_seat/uids.py). */
const isSeatUser = (uid: number) => uid >= 61_000 && uid <= 61_183;
/** Folders that every user of a machine can write to. */
const publicFolders = ['/tmp', '/var/tmp', '/dev/shm', '/dev/mqueue'];

interface ProcessSeen {
  readonly pid: number;
  readonly parent: number;
  readonly name: string;
}

function readOr<T>(look: () => T, otherwise: T): T {
  try {
    return look();
  } catch (error) {
    // The process has ended or the folder does not exist.
    if (!(error instanceof Error)) throw error;
    return otherwise;
  }
}

function processes(): ProcessSeen[] {
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
function family(root: number): ProcessSeen[] {
  const all = processes();
  const found = all.filter(({ pid }) => pid === root);
  for (let at = 0; at < found.length; at++) found.push(...all.filter(({ parent }) => parent === found[at]?.pid));
  return found;
}

function filesBelow(folder: string, skip: readonly string[] = []): string[] {
  const entries = readOr(() => readdirSync(folder, { withFileTypes: true }), []);
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (skip.includes(entry.name)) return [];
    return entry.isDirectory() ? [path, ...filesBelow(path, skip)] : [path];
  });
}

/** What seats can leave behind: state of one platform, or files and processes with the corpus's mark in their name. */
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

/** Collects a platform's processes below `root`, its runners' folders, public folders and System V IPC. */
export function remainsOf(root: number, runFolders: readonly string[]): Remains {
  const own = family(root);
  const seats = own.filter(({ name }) => /^seat-[0-9]+ /.test(name));
  const marked = processes().filter(({ name }) => name.includes(mark.slice(0, 12)));
  const runners = own.filter(({ name }) => /seat|python|node|MainThread/.test(name));
  let descriptors = 0;
  let unlinkedBytes = 0;
  for (const { pid } of runners) {
    const folder = `/proc/${pid}/fd`;
    for (const fd of readOr(() => readdirSync(folder), [])) {
      descriptors += 1;
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
  const inRunners = runFolders.flatMap((folder) => filesBelow(folder, skip));
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

/** The number of descriptors varies with connections and logs; a leak of one per match would be far above this. */
const descriptorSlack = 60;
const byteSlack = 32 << 20;

/** Returns one sentence for each kind of state that exists now and did not exist before. */
export function leftBehind(before: Remains, now: Remains): string[] {
  const problems: string[] = [];
  const more = (what: string, was: readonly string[], is: readonly string[]) => {
    const left = is.filter((one) => !was.includes(one));
    if (left.length > 0) problems.push(`${left.length} ${what} left behind: ${left.slice(0, 5).join('; ')}`);
  };
  more('processes', before.processes, now.processes);
  more('files', before.files, now.files);
  more('System V objects', before.ipc, now.ipc);
  if (now.descriptors > before.descriptors + descriptorSlack)
    problems.push(`${now.descriptors} descriptors are open, ${before.descriptors} were`);
  if (now.unlinkedBytes > before.unlinkedBytes + byteSlack)
    problems.push(`${now.unlinkedBytes >> 20} MiB are held by files without a name`);
  if (now.bytes > before.bytes + byteSlack)
    problems.push(`${now.bytes >> 20} MiB lie in the runners' folders, ${before.bytes >> 20} did`);
  return problems;
}
