import { execFile, spawn, spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

export const root = resolve(import.meta.dirname, '../../..');
export const chart = join(root, 'charts/husky-holdem');
export const release = 'husky';
/** Components of the chart that are services of the platform. */
export const services = ['gateway', 'auth', 'submission', 'simulation', 'live-data', 'leaderboard', 'pool'];
export const namespace = process.env.KUBE_NAMESPACE ?? 'husky-e2e';
export const runnersNamespace = `${namespace}-runners`;
export const cache = join(process.env.XDG_CACHE_HOME ?? join(process.env.HOME ?? '/root', '.cache'), 'husky-holdem');
/** Whether the cluster is that of `make kube-up`, not one that the caller provides. */
export const ownCluster =
  process.env.KUBECONFIG === undefined || process.env.KUBECONFIG === '/run/husky-kube/kubeconfig';
/** Address of this machine on the bridge of the test cluster (NODE_IP in scripts/proof/cluster/settings.env). */
export const machine = '10.86.0.1';
export const kubeconfig = process.env.KUBECONFIG ?? '/run/husky-kube/kubeconfig';

const env = { ...process.env, KUBECONFIG: kubeconfig, PATH: `${join(cache, 'bin')}:${process.env.PATH}` };

/** Runs a program and returns its standard output. Throws with its last lines if it fails. */
export async function call(program: string, args: readonly string[], timeoutMs = 60_000): Promise<string> {
  try {
    const { stdout } = await run(program, args, { env, timeout: timeoutMs, maxBuffer: 64 << 20, cwd: root });
    return stdout;
  } catch (error) {
    const { stderr, stdout, message } = error as { stderr?: string; stdout?: string; message: string };
    const lines = `${stdout ?? ''}\n${stderr ?? ''}`.trim().split('\n').slice(-6).join('\n');
    throw new Error(`${program} ${args.slice(0, 4).join(' ')}: ${lines || message}`);
  }
}

export const kubectl = (...args: string[]) => call('kubectl', args, 120_000);
/** Waits until all pods of a Deployment are replaced, at most 240 s, which is longer than `kubectl` may take. */
export const waitForRollout = (inNamespace: string, deployment: string) =>
  call('kubectl', ['-n', inNamespace, 'rollout', 'status', deployment, '--timeout=240s'], 250_000);
export const helm = (...args: string[]) => call('helm', args, 600_000);

/** Runs kubectl and returns its output, also if it fails. `ok`: whether the exit code is 0. */
export function tryKubectl(...args: string[]): { ok: boolean; text: string } {
  const { status, stdout, stderr } = spawnSync('kubectl', args, { env, encoding: 'utf8', timeout: 60_000 });
  return { ok: status === 0, text: `${stdout}${stderr}`.trim() };
}

/** Applies an object or the text of manifests. Throws with kubectl's message if it fails. */
export function apply(object: object | string, ...flags: readonly string[]): void {
  const input = typeof object === 'string' ? object : JSON.stringify(object);
  const { status, stderr } = spawnSync('kubectl', ['apply', ...flags, '-f', '-'], {
    env,
    input,
    encoding: 'utf8',
    timeout: 60_000,
  });
  if (status !== 0) throw new Error(`kubectl apply: ${stderr.trim()}`);
}

const children = new Set<ReturnType<typeof spawn>>();

/** Kills all programs of `start` that are still running. */
export function stopAll(): void {
  for (const child of children) child.kill('SIGKILL');
}

/** Starts a program in the background. `ended` resolves with its exit code and output; `readOutput` returns the output so far. */
export function start(program: string, args: readonly string[]) {
  const child = spawn(program, args, { env, cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  children.add(child);
  child.once('close', () => children.delete(child));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)));
  const ended = new Promise<{ code: number | null; output: string }>((done) =>
    child.once('close', (code) => done({ code, output })),
  );
  return { child, ended, readOutput: () => output };
}

/** Calls `read` until `isDone` accepts its result, and returns that result. Throws with the last result or error after `seconds`. */
export async function waitUntil<T>(
  description: string,
  seconds: number,
  read: () => Promise<T>,
  isDone: (result: T) => boolean,
  intervalMs = 300,
): Promise<T> {
  const deadline = Date.now() + seconds * 1000;
  let last = 'none';
  while (Date.now() < deadline) {
    try {
      const result = await read();
      if (isDone(result)) return result;
      last = JSON.stringify(result).slice(0, 300);
    } catch (error) {
      last = error instanceof Error ? error.message : String(error);
    }
    await pause(intervalMs);
  }
  throw new Error(`${description} not within ${seconds} s; last result: ${last}`);
}

export interface PodInfo {
  readonly name: string;
  readonly ready: boolean;
  readonly deleting: boolean;
}

export async function runnerPods(): Promise<PodInfo[]> {
  const text = await kubectl(
    '-n',
    runnersNamespace,
    'get',
    'pods',
    '-l',
    'app.kubernetes.io/component=runner',
    '-o',
    'json',
  );
  const { items } = JSON.parse(text) as {
    items: {
      metadata: { name: string; deletionTimestamp?: string };
      status: { conditions?: { type: string; status: string }[] };
    }[];
  };
  return items.map(({ metadata, status }) => ({
    name: metadata.name,
    ready: status.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') === true,
    deleting: metadata.deletionTimestamp !== undefined,
  }));
}
