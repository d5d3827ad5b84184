// Replacement of the services' pods under constant read load: deleted, killed by force, and by a rollout restart.
import { kubectl, namespace, release, services, waitForRollout, waitUntil } from './cluster.ts';
import { podsOf } from './nodes.ts';
import type { Platform } from './platform.ts';
import { type Step, seconds } from './steps.ts';
import { upgradeWithin } from './steps-chart.ts';
import { twoReplicas } from './steps-nodes.ts';
import { underLoad } from './steps-upgrade.ts';

/** A release of the chart whose objects have its name. */
export interface Release {
  readonly name: string;
  readonly namespace: string;
}

const own: Release = { name: release, namespace };

/** kubectl's arguments to delete a pod without its grace period. The kubelet still gives its containers 1 s, and 2 s after SIGTERM. */
export const byForce = ['--force', '--grace-period=0'];

/** Waits until a service has exactly `size` pods, all of them ready and none of them `replaced`. Returns their names. */
async function waitForPods(target: Release, service: string, size: number, replaced = ''): Promise<string[]> {
  const pods = await waitUntil(
    `${size} ready pods of ${service}`,
    150,
    () => podsOf(service, [target.namespace]),
    (all) => all.length === size && all.every(({ name, ready }) => ready && name !== replaced),
  );
  return pods.map(({ name }) => name);
}

/** Waits until each service has exactly two pods, both ready. */
export async function waitForTwoOfEach(target: Release): Promise<void> {
  for (const service of services) await waitForPods(target, service, 2);
}

/**
 * Deletes both pods of each service under constant read load, one at a time, each after its predecessor is replaced. `flags`: further
 * arguments of `kubectl delete`. Returns the duration for each service and a summary; throws if a request failed.
 */
export async function replacePods(platform: Platform, target: Release, ...flags: readonly string[]): Promise<string> {
  await waitForTwoOfEach(target);
  const durations: string[] = [];
  const summary = await underLoad(platform, async () => {
    for (const service of services) {
      const startedMs = Date.now();
      for (const pod of await waitForPods(target, service, 2)) {
        await kubectl('-n', target.namespace, 'delete', 'pod', pod, '--timeout=100s', ...flags);
        await waitForPods(target, service, 2, pod);
      }
      durations.push(`${service} ${seconds(Date.now() - startedMs)}`);
    }
  });
  return `${durations.join(', ')}; ${summary}`;
}

/** Runs `work` while the release of the other steps has two replicas of each service. */
async function withTwoReplicas(work: () => Promise<string>): Promise<string> {
  await upgradeWithin('6m', ...twoReplicas);
  try {
    return await work();
  } finally {
    await upgradeWithin('6m');
  }
}

/** Restarts all services at the same time and waits until every pod is replaced. */
async function restartServices(): Promise<void> {
  const deployments = services.map((service) => `deployment/${release}-${service}`);
  await kubectl('-n', namespace, 'rollout', 'restart', ...deployments);
  for (const deployment of deployments) await waitForRollout(namespace, deployment);
}

export const replacementSteps = (platform: Platform): Step[] => [
  {
    name: 'replacement: each pod of the services is deleted gracefully in turn, two replicas of each: no request fails',
    minutes: 22,
    run: () => withTwoReplicas(() => replacePods(platform, own)),
  },
  {
    name: 'replacement: kubectl rollout restart of every deployment of the services: no request fails',
    minutes: 12,
    run: () => underLoad(platform, restartServices),
  },
  {
    name: 'replacement: each pod of the services is killed by force in turn, two replicas of each: no request fails',
    minutes: 22,
    run: () => withTwoReplicas(() => replacePods(platform, own, ...byForce)),
  },
];
