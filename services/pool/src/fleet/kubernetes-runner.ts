import type { V1ContainerStatus, V1Pod } from '@kubernetes/client-node';
import type { FleetRunner } from '../domain/containers.ts';

const firstPort = 10_000;
const ports = 50_000;

/** Returns a pod's number for its lifetime: FNV-1a of its uid, or the next free number on a collision. */
export function portOf(uid: string, taken: ReadonlySet<number>): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(uid)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  let port = firstPort + (hash % ports);
  while (taken.has(port)) port = firstPort + ((port + 1 - firstPort) % ports);
  return port;
}

/** Returns a pod as a runner of the fleet. `leaving`: the pool has marked it and waits for its deletion. */
export function describePod(pod: V1Pod, port: number, leaving: boolean): FleetRunner {
  const { metadata } = pod;
  const deleted = metadata?.deletionTimestamp !== undefined;
  const ready = conditionOf(pod, 'Ready')?.status === 'True';
  return {
    name: metadata?.name ?? '',
    port,
    phase: deleted || leaving ? 'stopping' : ready ? 'running' : 'starting',
    // A list contains a Date, a watch event its text.
    startedAtMs: new Date(metadata?.creationTimestamp ?? 0).getTime(),
    problem: ready ? '' : problemOf(pod),
  };
}

/** Returns whether a pod has ended; its controller replaces it. */
export function isOver(pod: V1Pod): boolean {
  return pod.status?.phase === 'Failed' || pod.status?.phase === 'Succeeded';
}

const conditionOf = ({ status }: V1Pod, name: string) => status?.conditions?.find(({ type }) => type === name);

const statusesOf = ({ status }: V1Pod): V1ContainerStatus[] => [
  ...(status?.initContainerStatuses ?? []),
  ...(status?.containerStatuses ?? []),
];

/** Returns whether a container of a pod has never run, so that it has no log. */
export function isUnstarted(pod: V1Pod, container: string): boolean {
  const own = statusesOf(pod).find(({ name }) => name === container);
  const { state, lastState } = own ?? {};
  const hasRun = state?.running ?? state?.terminated ?? lastState?.terminated;
  if (own !== undefined) return hasRun === undefined;
  return conditionOf(pod, 'PodScheduled')?.status === 'False';
}

const imageReasons = ['ErrImagePull', 'ImagePullBackOff', 'InvalidImageName', 'ErrImageNeverPull', 'ImageInspectError'];

/** Returns why a pod does not run; '' while no problem is known. */
export function problemOf(pod: V1Pod): string {
  const { status } = pod;
  const scheduled = conditionOf(pod, 'PodScheduled');
  if (scheduled?.status === 'False') {
    return `no node can take it: ${scheduled.message ?? scheduled.reason ?? 'unschedulable'}`;
  }
  const containers = statusesOf(pod);
  for (const container of containers) {
    const problem = containerProblem(container);
    if (problem !== '') return problem;
  }
  if (status?.phase === 'Failed') return `it failed: ${status.message ?? status.reason ?? 'no reason is given'}`;
  const notReady = containers.find((container) => container.state?.running && !container.ready && container.started);
  return notReady === undefined ? '' : `${notReady.name} runs and is not ready; its log says why`;
}

function containerProblem(container: V1ContainerStatus): string {
  const { name, image, state, lastState, restartCount } = container;
  const waiting = state?.waiting;
  if (waiting?.reason !== undefined && imageReasons.includes(waiting.reason)) {
    return `the image ${image} of ${name} cannot be had: ${waiting.message ?? waiting.reason}`;
  }
  const ended = state?.terminated ?? lastState?.terminated;
  if (waiting?.reason === 'CrashLoopBackOff' || (ended !== undefined && ended.exitCode !== 0)) {
    const how = ended === undefined ? '' : ` (${ended.reason ?? 'ended'}, exit code ${ended.exitCode})`;
    return `${name} ends again and again${how}, ${restartCount} restarts; its log says why`;
  }
  if (waiting?.reason === 'CreateContainerConfigError' || waiting?.reason === 'CreateContainerError') {
    return `${name} cannot be started: ${waiting.message ?? waiting.reason}`;
  }
  return '';
}
