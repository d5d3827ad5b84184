import { clientLink, linkNames } from './links.ts';
import { Random } from './random.ts';
import { drawSchedule, type Step, type WeightedMakers } from './schedule.ts';

/** A fault of a platform on this machine. `ms`: its duration. */
export type MachineFault =
  | { readonly kind: 'kill' | 'restart'; readonly target: string }
  | { readonly kind: 'stop' | 'slow' | 'slow-runner'; readonly target: string; readonly ms: number }
  /** `dead`: existing connections stay silent, as after the loss of a machine; new ones work. */
  | { readonly kind: 'network'; readonly link: string; readonly how: NetworkFault; readonly ms: number }
  /** Between the run's own clients and the gateway. */
  | { readonly kind: 'client-network'; readonly how: NetworkFault; readonly ms: number }
  | { readonly kind: 'cut-connections' | 'immediate-shutdown' | 'lose-nats-disk' }
  | { readonly kind: 'full-disk' | 'full-disk-in-checkpoint'; readonly ms: number }
  | { readonly kind: 'memory-pressure'; readonly target: string; readonly ms: number }
  /** `aheadS`: seconds by which the clock is ahead; negative: behind. */
  | { readonly kind: 'clock'; readonly target: string; readonly aheadS: number; readonly ms: number };

export type NetworkFault = 'delay' | 'loss' | 'half-open' | 'silent' | 'cut' | 'cut-in-message' | 'refuse' | 'dead';

/** All kinds of faults of a platform on this machine. */
export const kinds: readonly MachineFault['kind'][] = [
  ...([
    'kill',
    'restart',
    'stop',
    'slow',
    'network',
    'cut-connections',
    'immediate-shutdown',
    'lose-nats-disk',
  ] as const),
  ...(['full-disk', 'full-disk-in-checkpoint', 'memory-pressure', 'clock', 'slow-runner', 'client-network'] as const),
];

const services = ['auth', 'submission', 'simulation', 'live-data', 'leaderboard', 'pool', 'gateway'];
const runnerParts = ['dealer', 'seat-host', 'seat'];
const servers = ['postgres', 'nats'];
const networkFaults: readonly NetworkFault[] = [
  ...(['delay', 'loss', 'half-open', 'silent', 'cut', 'cut-in-message', 'refuse', 'dead'] as const),
];

const drawDurationMs = (random: Random) => random.integer(300, 3000);

const makers: WeightedMakers<MachineFault> = [
  [6, (random) => ({ kind: 'kill', target: random.pick([...services, ...runnerParts, ...servers]) })],
  [
    4,
    (random) => ({
      kind: 'stop',
      target: random.pick([...services, ...runnerParts, ...servers]),
      ms: drawDurationMs(random),
    }),
  ],
  [3, (random) => ({ kind: 'restart', target: random.pick([...services, 'dealer', 'seat-host', ...servers]) })],
  [2, (random) => ({ kind: 'slow', target: random.pick([...services, ...servers]), ms: drawDurationMs(random) })],
  [
    6,
    (random) => ({
      kind: 'network',
      link: random.pick(linkNames),
      how: random.pick(networkFaults),
      ms: drawDurationMs(random),
    }),
  ],
  [2, () => ({ kind: 'cut-connections' })],
  [1, () => ({ kind: 'immediate-shutdown' })],
  [1, () => ({ kind: 'lose-nats-disk' })],
  [1, (random) => ({ kind: 'full-disk', ms: drawDurationMs(random) })],
  [1, (random) => ({ kind: 'full-disk-in-checkpoint', ms: drawDurationMs(random) })],
  [1, (random) => ({ kind: 'memory-pressure', target: random.pick(services), ms: drawDurationMs(random) })],
];

const clockProbability = 0.15;

/**
 * Returns a clock fault for some steps. Uses separate random numbers, so that a seed still gives the other faults that it gave before
 * this kind existed.
 */
function drawClockFault(seed: number, number: number): MachineFault[] {
  const random = new Random(seed + 7_919 * number);
  if (random.next() >= clockProbability) return [];
  const [min, max] = random.pick([
    [1, 10],
    [30, 600],
    [1800, 6 * 3600],
  ] as const);
  const aheadS = random.pick([1, -1]) * random.integer(min, max);
  return [{ kind: 'clock', target: random.pick([...services, 'dealer']), aheadS, ms: random.integer(1000, 5000) }];
}

const slowRunnerProbability = 0.08;

/** Returns a slow part of a runner for some steps. Uses separate random numbers for the same reason as `drawClockFault`. */
function drawSlowRunner(seed: number, number: number): MachineFault[] {
  const random = new Random(seed + 104_729 * number);
  if (random.next() >= slowRunnerProbability) return [];
  return [{ kind: 'slow-runner', target: random.pick(runnerParts), ms: drawDurationMs(random) }];
}

const clientNetworkProbability = 0.1;

/** Returns a fault of the clients' network for some steps. Uses separate random numbers for the same reason as `drawClockFault`. */
function drawClientNetwork(seed: number, number: number): MachineFault[] {
  const random = new Random(seed + 1_299_709 * number);
  if (random.next() >= clientNetworkProbability) return [];
  return [{ kind: 'client-network', how: random.pick(networkFaults), ms: drawDurationMs(random) }];
}

/** Returns the schedule of faults for a seed. Deterministic. */
export const createSchedule = (seed: number, steps: number): Step<MachineFault>[] =>
  drawSchedule(makers, seed, steps, (...step) => [
    ...drawClockFault(...step),
    ...drawSlowRunner(...step),
    ...drawClientNetwork(...step),
  ]);

/** Returns a short description of a fault. */
export function describeFault(fault: MachineFault): string {
  if (fault.kind === 'network' || fault.kind === 'client-network') {
    const link = (fault.kind === 'network' ? fault.link : clientLink).replace(' ', ' to ');
    return fault.how === 'dead' ? `dead connections of ${link}` : `${fault.how} ${link} for ${fault.ms} ms`;
  }
  if (fault.kind === 'clock')
    return `clock of ${fault.target} ${Math.abs(fault.aheadS)} s ${fault.aheadS < 0 ? 'behind' : 'ahead'} for ${fault.ms} ms`;
  const target = 'target' in fault ? ` ${fault.target}` : '';
  return `${fault.kind}${target}${'ms' in fault ? ` for ${fault.ms} ms` : ''}`;
}
