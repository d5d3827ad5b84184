import { execFile, spawn, spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

export const root = resolve(import.meta.dirname, '../..');
export const chart = join(root, 'charts/husky-holdem');
export const release = 'husky';
/** Components of the chart that are services of the platform. */
export const services = ['gateway', 'auth', 'submission', 'simulation', 'live-data', 'leaderboard', 'pool'];
export const namespace = process.env.KUBE_NAMESPACE ?? 'husky-e2e';
export const runnersNamespace = `${namespace}-runners`;
export const cache = join(process.env.XDG_CACHE_HOME ?? join(process.env.HOME ?? '/root', '.cache'), 'husky-holdem');
/** True: the cluster of `make kube-up`; false: the caller's cluster. */
export const ownCluster =
  process.env.KUBECONFIG === undefined || process.env.KUBECONFIG === '/run/husky-kube/kubeconfig';
export const kubeconfig = process.env.KUBECONFIG ?? '/run/husky-kube/kubeconfig';

const env = { ...process.env, KUBECONFIG: kubeconfig, PATH: `${join(cache, 'bin')}:${process.env.PATH}` };

/** Runs a program to its end and returns its output. Throws with its last lines if it fails. */
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
export const helm = (...args: string[]) => call('helm', args, 600_000);

/** Runs kubectl and returns its output, even if it fails; `ok`: exit code 0. */
export function tryKubectl(...args: string[]): { ok: boolean; text: string } {
  const { status, stdout, stderr } = spawnSync('kubectl', args, { env, encoding: 'utf8', timeout: 60_000 });
  return { ok: status === 0, text: `${stdout}${stderr}`.trim() };
}

/** Applies an object, or manifests as text. Throws with kubectl's message if it fails. */
export function apply(object: object | string, ...more: readonly string[]): void {
  const input = typeof object === 'string' ? object : JSON.stringify(object);
  const { status, stderr } = spawnSync('kubectl', ['apply', ...more, '-f', '-'], {
    env,
    input,
    encoding: 'utf8',
    timeout: 60_000,
  });
  if (status !== 0) throw new Error(`kubectl apply: ${stderr.trim()}`);
}

/** Returns why the API server refuses an object, or manifests as text, in a dry run; empty if it accepts them. */
export function refusalOf(object: object | string): string {
  try {
    apply(object, '--dry-run=server');
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const started = new Set<ReturnType<typeof spawn>>();

/** Kills all programs of `start` that are still running. */
export function stopAll(): void {
  for (const child of started) child.kill('SIGKILL');
}

/** Starts a program that runs beside the steps. */
export function start(program: string, args: readonly string[]) {
  const child = spawn(program, args, { env, cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  started.add(child);
  child.once('close', () => started.delete(child));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)));
  const ended = new Promise<{ code: number | null; output: string }>((done) =>
    child.once('close', (code) => done({ code, output })),
  );
  return { child, ended, soFar: () => output };
}

/** Polls until the answer is right and returns it. Throws with the last answer or error after `seconds`. */
export async function until<T>(
  what: string,
  seconds: number,
  ask: () => Promise<T>,
  right: (answer: T) => boolean,
  everyMs = 300,
): Promise<T> {
  const end = Date.now() + seconds * 1000;
  let last = 'no answer';
  while (Date.now() < end) {
    try {
      const answer = await ask();
      if (right(answer)) return answer;
      last = JSON.stringify(answer).slice(0, 300);
    } catch (error) {
      last = error instanceof Error ? error.message : String(error);
    }
    await pause(everyMs);
  }
  throw new Error(`${what} not within ${seconds} s; last: ${last}`);
}

export interface PodInfo {
  readonly name: string;
  readonly ready: boolean;
  readonly deleting: boolean;
  readonly cost: string | undefined;
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
      metadata: { name: string; deletionTimestamp?: string; annotations?: Record<string, string> };
      status: { conditions?: { type: string; status: string }[] };
    }[];
  };
  return items.map(({ metadata, status }) => ({
    name: metadata.name,
    ready: status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true,
    deleting: metadata.deletionTimestamp !== undefined,
    cost: metadata.annotations?.['controller.kubernetes.io/pod-deletion-cost'],
  }));
}
