// docs/operations.md, Autoscaling.
import { kubectl, release, runnerPods, runnersNamespace, waitUntil } from './cluster.ts';
import { type Platform, startMatches } from './platform.ts';
import { type Step, seconds } from './steps.ts';
import { upgradeWithin } from './steps-chart.ts';
import { waitUntilSteady } from './steps-upgrade.ts';

const runnersDownSeconds = 20;

export const autoscalingSteps = (platform: Platform): Step[] => [
  {
    name: 'autoscaling: a batch scales the runners up, and they scale down after it',
    minutes: 10,
    run: () => scaleRunnersUnderBatch(platform),
  },
];

async function scaleRunnersUnderBatch(platform: Platform): Promise<string> {
  const admin = await platform.admin();
  const settings = { minimum: 3, maximum: 6, drain_seconds: 10 };
  await platform.scaleAndWait(3, 200);
  await upgradeWithin(
    '6m',
    '--set',
    `runners.autoscaling.downSeconds=${runnersDownSeconds},runners.autoscaling.upSeconds=5`,
  );
  await waitUntilSteady(platform);
  await admin.post('/docker/pool/autoscaling', { enabled: true, ...settings });
  try {
    const startedMs = Date.now();
    const jobs = await startMatches(platform, 8);
    const readRequested = async () =>
      Number(
        await kubectl('-n', runnersNamespace, 'get', `deployment/${release}-runner`, '-o', 'jsonpath={.spec.replicas}'),
      );
    const raised = await waitUntil('more requested runners', 120, readRequested, (size) => size > 3);
    const decidedMs = Date.now() - startedMs;
    const countBusy = async () => (await platform.containers()).filter(({ state }) => state === 'active').length;
    await waitUntil(`more than 3 busy runners`, 120, countBusy, (count) => count > 3);
    const fourthBusyMs = Date.now() - startedMs;
    const hands = await platform.verifyMatches(jobs, 400);
    const batchEndedMs = Date.now();
    await waitUntil('three requested runners', 200, readRequested, (size) => size === 3);
    const scaledDownMs = Date.now() - batchEndedMs;
    await waitUntil('three pods', 120, runnerPods, (pods) => pods.filter((pod) => !pod.deleting).length === 3);
    return `3 -> ${raised} decided after ${seconds(decidedMs)}, a fourth busy after ${seconds(fourthBusyMs)}; ${jobs.length} matches, ${hands} hands; 3 again decided ${seconds(scaledDownMs)} after the last match`;
  } finally {
    await admin.post('/docker/pool/autoscaling', { enabled: false });
    await platform.scaleAndWait(3, 200);
    await upgradeWithin('6m');
  }
}
