import { linkNames } from './links.ts';
import { Random } from './random.ts';

/** One thing that goes wrong. `ms`: how long it lasts, for those that last. */
export type Fault =
  | { readonly kind: 'kill' | 'restart'; readonly target: string }
  | { readonly kind: 'stop' | 'slow'; readonly target: string; readonly ms: number }
  /** `dead`: the present connections stay silent for good, as after the loss of a machine; new ones work. */
  | { readonly kind: 'network'; readonly link: string; readonly how: NetworkFault; readonly ms: number }
  | { readonly kind: 'cut-connections' | 'immediate-shutdown' | 'lose-nats-disk' }
  | { readonly kind: 'full-disk' | 'full-disk-in-checkpoint'; readonly ms: number }
  | { readonly kind: 'memory-pressure'; readonly target: string; readonly ms: number }
  /** `aheadS`: seconds by which its clock is ahead of the others; negative: behind. */
  | { readonly kind: 'clock'; readonly target: string; readonly aheadS: number; readonly ms: number };

export type NetworkFault = 'delay' | 'loss' | 'half-open' | 'silent' | 'cut' | 'cut-in-message' | 'refuse' | 'dead';

/** What happens at once: one fault, or a pair. `after`: pause before it, so that faults do not hit the same moments. */
export interface Step {
  readonly number: number;
  readonly afterMs: number;
  readonly faults: readonly Fault[];
}

const allKinds: readonly Fault['kind'][] = [
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
  ...(['full-disk', 'full-disk-in-checkpoint', 'memory-pressure', 'clock'] as const),
];

const services = ['auth', 'submission', 'simulation', 'live-data', 'leaderboard', 'pool', 'gateway'];
const runnerParts = ['dealer', 'seat-host', 'seat'];
const servers = ['postgres', 'nats'];
const networkFaults: readonly NetworkFault[] = [
  ...(['delay', 'loss', 'half-open', 'silent', 'cut', 'cut-in-message', 'refuse', 'dead'] as const),
];

/** Makes one fault of a kind. */
type Maker = (random: Random) => Fault;

const lasting = (random: Random) => random.integer(300, 3000);

/** Kinds by name with their weights: what is likelier in an event happens more often. */
const makers: readonly (readonly [weight: number, Maker])[] = [
  [6, (random) => ({ kind: 'kill', target: random.pick([...services, ...runnerParts, ...servers]) })],
  [
    4,
    (random) => ({ kind: 'stop', target: random.pick([...services, ...runnerParts, ...servers]), ms: lasting(random) }),
  ],
  [3, (random) => ({ kind: 'restart', target: random.pick([...services, 'dealer', 'seat-host', ...servers]) })],
  [2, (random) => ({ kind: 'slow', target: random.pick([...services, ...servers]), ms: lasting(random) })],
  [
    6,
    (random) => ({
      kind: 'network',
      link: random.pick(linkNames),
      how: random.pick(networkFaults),
      ms: lasting(random),
    }),
  ],
  [2, () => ({ kind: 'cut-connections' })],
  [1, () => ({ kind: 'immediate-shutdown' })],
  [1, () => ({ kind: 'lose-nats-disk' })],
  [1, (random) => ({ kind: 'full-disk', ms: lasting(random) })],
  [1, (random) => ({ kind: 'full-disk-in-checkpoint', ms: lasting(random) })],
  [1, (random) => ({ kind: 'memory-pressure', target: random.pick(services), ms: lasting(random) })],
];

const clockProbability = 0.15;

/**
 * Returns a wrong clock for some steps. Its random numbers are not those of the other faults, so that schedules of seeds from before this
 * kind existed still have the same other faults; `KINDS=-clock` leaves it out.
 */
function clockFaultOf(seed: number, number: number): Fault[] {
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

/** Returns the schedule of a seed: the same on every machine, and its first steps do not depend on their number. */
export function scheduleOf(seed: number, steps: number): Step[] {
  const random = new Random(seed);
  const total = makers.reduce((sum, [weight]) => sum + weight, 0);
  const makeFault = (): Fault => {
    let place = random.next() * total;
    for (const [weight, make] of makers) {
      place -= weight;
      if (place < 0) return make(random);
    }
    throw new RangeError('the weights do not add up');
  };
  return Array.from({ length: steps }, (_, index) => {
    const afterMs = random.integer(0, 1500);
    const first = makeFault();
    const second = random.next() < 0.3 ? makeFault() : undefined;
    const number = index + 1;
    return {
      number,
      afterMs,
      faults: [first, ...(second === undefined ? [] : [second]), ...clockFaultOf(seed, number)],
    };
  });
}

/**
 * Returns the steps with some kinds of faults only, without those that have none: `clock,kill` are these two, `-clock` are all others.
 * Throws RangeError with a sentence for an unknown kind.
 */
export function withKinds(steps: readonly Step[], kinds: string): Step[] {
  const names = kinds.split(',');
  const unknown = names.filter((name) => !(allKinds as readonly string[]).includes(name.replace(/^-/, '')));
  if (unknown.length > 0)
    throw new RangeError(`KINDS must name ${allKinds.join(', ')}, or one with - before it; not ${kinds}.`);
  const included = names.filter((name) => !name.startsWith('-'));
  const chosen = ({ kind }: Fault) => !names.includes(`-${kind}`) && (included.length === 0 || included.includes(kind));
  return steps
    .map((step) => ({ ...step, faults: step.faults.filter(chosen) }))
    .filter(({ faults }) => faults.length > 0);
}

/** Describes a fault in a few words. */
export function describeFault(fault: Fault): string {
  if (fault.kind === 'network' && fault.how === 'dead') return `dead connections of ${fault.link.replace(' ', ' to ')}`;
  if (fault.kind === 'network') return `${fault.how} ${fault.link.replace(' ', ' to ')} for ${fault.ms} ms`;
  if (fault.kind === 'clock')
    return `clock of ${fault.target} ${Math.abs(fault.aheadS)} s ${fault.aheadS < 0 ? 'behind' : 'ahead'} for ${fault.ms} ms`;
  const target = 'target' in fault ? ` ${fault.target}` : '';
  return `${fault.kind}${target}${'ms' in fault ? ` for ${fault.ms} ms` : ''}`;
}
