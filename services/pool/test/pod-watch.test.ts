import { CoreV1Api } from '@kubernetes/client-node';
import { expect, test } from 'vitest';
import { PodWatch } from '../src/fleet/kubernetes-pods.ts';
import { deploymentRef, KubernetesApi } from './kubernetes-api.ts';
import { eventually, log } from './launch-pool.ts';

test('a list does not undo changes that the watch has reported since the list was requested', async () => {
  const api = new KubernetesApi();
  await api.start();
  const config = api.config();
  const core = config.makeApiClient(CoreV1Api);
  const { namespace } = deploymentRef;
  // While the watch is open, the pods are listed at every 20th interval.
  const watch = new PodWatch({ config, core, namespace, labelSelector: 'app=runner', log, resyncMs: 10, callMs: 5000 });
  watch.start();
  try {
    await eventually(() => expect(api.watchers).toBe(1));
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    api.listDelays.push(first.promise, second.promise);
    await eventually(() => expect(api.listDelays).toEqual([second.promise]));
    api.setStatus('husky-runner-2', { phase: 'Pending' });
    api.deletePod('husky-runner-3');
    const phases = () => watch.pods().map(({ metadata, status }) => `${metadata?.name} ${status?.phase}`);
    const now = ['husky-runner-1 Running', 'husky-runner-2 Pending'];
    await eventually(() => expect(phases().sort()).toEqual(now));
    first.resolve();
    // The second list begins after the first has been taken over.
    await eventually(() => expect(api.listDelays).toEqual([]));
    expect(phases().sort()).toEqual(now);
    second.resolve();
  } finally {
    await watch.close();
    await api.stop();
  }
});
