// Finds the processes of containers of the test cluster, whose nodes all run on this machine.
import { readdirSync, readFileSync } from 'node:fs';
import { kubectl } from '../kube/cluster.ts';

interface ContainerStatus {
  readonly name: string;
  readonly containerID?: string;
  readonly state?: { readonly running?: object };
}

/** Returns the id of a pod's container; undefined if the container does not run or the pod does not exist. */
export async function runningContainer(namespace: string, pod: string, container: string): Promise<string | undefined> {
  const text = await kubectl('-n', namespace, 'get', 'pod', pod, '-o', 'json', '--ignore-not-found');
  if (text.trim() === '') return undefined;
  const { status } = JSON.parse(text) as {
    status: { containerStatuses?: ContainerStatus[]; initContainerStatuses?: ContainerStatus[] };
  };
  // The seats run in a native sidecar, which is an init container.
  const all = [...(status.containerStatuses ?? []), ...(status.initContainerStatuses ?? [])];
  const found = all.find(({ name }) => name === container);
  return found?.state?.running === undefined ? undefined : found.containerID?.split('//')[1];
}

/** Returns the ids of this machine's processes whose control group has this name: the container's id. */
export function processesInGroup(name: string): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cgroup`, 'utf8').includes(name);
      } catch {
        // The process has ended.
        return false;
      }
    })
    .map(Number);
}
