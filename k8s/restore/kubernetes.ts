import { spawnSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';

const { env } = process;
export const release = env.RELEASE || 'husky';
export const namespace = env.NAMESPACE || 'husky';

/** An error whose message is shown without a stack. */
export class CannotRestore extends Error {}

const startedMs = performance.now();
/** Prints a line with the seconds since the start. */
export const print = (line: string) =>
  process.stdout.write(`${((performance.now() - startedMs) / 1000).toFixed(0).padStart(4)} s  ${line}\n`);

export interface KubeObject {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly creationTimestamp: string;
    readonly deletionTimestamp?: string;
  };
}

export interface Container {
  readonly env: readonly { readonly name: string; readonly value?: string }[];
  readonly volumeMounts: readonly { readonly name: string }[];
}

interface PodSpec {
  readonly containers: readonly [Container];
  readonly volumes?: readonly {
    readonly name: string;
    readonly persistentVolumeClaim?: { readonly claimName: string };
  }[];
}

export interface PodTemplate {
  readonly metadata: { readonly labels?: Readonly<Record<string, string>> };
  readonly spec: PodSpec;
}

export interface Workload extends KubeObject {
  readonly spec: { readonly replicas: number; readonly template: PodTemplate };
}

export interface CronJob extends KubeObject {
  readonly spec: {
    readonly suspend?: boolean;
    readonly jobTemplate: { readonly spec: { readonly template: PodTemplate } };
  };
}

export interface Job extends KubeObject {
  readonly spec: { readonly template: PodTemplate };
  readonly status?: {
    readonly active?: number;
    readonly succeeded?: number;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

export interface Pod extends KubeObject {
  readonly spec: { readonly nodeName?: string };
  readonly status: {
    readonly phase: string;
    readonly conditions?: readonly { readonly status: string; readonly message?: string }[];
    readonly containerStatuses?: readonly {
      readonly restartCount: number;
      readonly state: { readonly waiting?: { readonly reason?: string; readonly message?: string } };
    }[];
  };
}

export function kubectl(args: readonly string[], input?: string): string {
  const options = { input, encoding: 'utf8', timeout: 120_000, maxBuffer: 64 << 20 } as const;
  const { status, stdout, stderr, error } = spawnSync('kubectl', args, options);
  if (status === 0) return stdout;
  throw new CannotRestore(`kubectl ${args.slice(0, 5).join(' ')}: ${stderr?.trim() || error?.message || 'no answer'}`);
}

export const selectorOf = (component: string) =>
  `app.kubernetes.io/instance=${release}${component && `,app.kubernetes.io/component=${component}`}`;

/** Returns the objects of the release; `component`: only those of one part. */
export function list<T extends KubeObject>(kind: string, component = '', inNamespace = namespace): T[] {
  const text = kubectl(['-n', inNamespace, 'get', kind, '-l', selectorOf(component), '-o', 'json']);
  return (JSON.parse(text) as { items: T[] }).items;
}

/** Returns the present state of objects. */
export const read = <T extends KubeObject>(objects: readonly T[]) =>
  objects.map(({ kind, metadata: { namespace: inNamespace, name } }) =>
    JSON.parse(kubectl(['-n', inNamespace, 'get', kind, name, '-o', 'json'])),
  ) as T[];

const patch = ({ kind, metadata }: KubeObject, change: object) =>
  kubectl(['-n', metadata.namespace, 'patch', kind, metadata.name, '--type=merge', '-p', JSON.stringify(change)]);

export const annotate = (object: KubeObject, name: string, value: string | null, spec?: object) =>
  patch(object, { metadata: { annotations: { [name]: value } }, ...(spec && { spec }) });

const failedReadsMs = 120_000;

/** Polls until `isDone`. A failed kubectl is repeated for two minutes. */
export async function waitFor(description: string, seconds: number, isDone: () => boolean): Promise<void> {
  const waitedMs = performance.now();
  let reportedMs = waitedMs;
  let answeredMs = waitedMs;
  for (;;) {
    try {
      if (isDone()) return;
      answeredMs = performance.now();
    } catch (error) {
      if (performance.now() - answeredMs > failedReadsMs || !isFailedCall(error)) throw error;
    }
    const now = performance.now();
    if (now - waitedMs > seconds * 1000) throw new CannotRestore(`Waited ${seconds} s for ${description}.`);
    if (now - reportedMs > 10_000) {
      print(`waiting for ${description}`);
      reportedMs = now;
    }
    await pause(1000);
  }
}

const isFailedCall = (error: unknown) => error instanceof CannotRestore && error.message.startsWith('kubectl ');
