import { linkNames } from './links.ts';
import { Random } from './random.ts';

/** A fault of the platform. `ms`: its duration. */
export type Fault =
  | { readonly kind: 'kill'; readonly target: string }
  | { readonly kind: 'stop'; readonly target: string; readonly ms: number }
  | { readonly kind: 'cut'; readonly link: string }
  | { readonly kind: 'half-open'; readonly link: string; readonly ms: number }
  /** `aheadS`: seconds by which the clock is ahead; negative: behind. */
  | { readonly kind: 'clock'; readonly target: string; readonly aheadS: number; readonly ms: number };

/** Faults that are injected at once. `afterMs`: pause before the step, so that faults do not always hit the same moments. */
export interface Step {
  readonly number: number;
  readonly afterMs: number;
  readonly faults: readonly Fault[];
}

const services = ['auth', 'submission', 'simulation', 'live-data', 'leaderboard', 'pool', 'gateway'];
const processes = [...services, 'dealer', 'seat-host', 'seat', 'postgres', 'nats'];

function drawFault(random: Random): Fault {
  const kind = random.pick(['kill', 'kill', 'stop', 'cut', 'half-open', 'clock'] as const);
  const ms = random.integer(300, 3000);
  if (kind === 'kill') return { kind, target: random.pick(processes) };
  if (kind === 'stop') return { kind, target: random.pick(processes), ms };
  if (kind === 'cut') return { kind, link: random.pick(linkNames) };
  if (kind === 'half-open') return { kind, link: random.pick(linkNames), ms };
  const [min, max] = random.pick([
    [1, 10],
    [30, 600],
    [1800, 6 * 3600],
  ] as const);
  return {
    kind,
    target: random.pick([...services, 'dealer']),
    aheadS: random.pick([1, -1]) * random.integer(min, max),
    ms,
  };
}

/** Returns the schedule for a seed: the same on every machine, and a step does not depend on the others. */
export function createSchedule(seed: number, steps: number): Step[] {
  return Array.from({ length: steps }, (_, index) => {
    const number = index + 1;
    const random = new Random(seed + 7_919 * number);
    const afterMs = random.integer(0, 1500);
    const faults = Array.from({ length: random.next() < 0.3 ? 2 : 1 }, () => drawFault(random));
    return { number, afterMs, faults };
  });
}

/** Returns a short description of a fault. */
export function describeFault(fault: Fault): string {
  const where = 'link' in fault ? fault.link.replace(' ', ' to ') : fault.target;
  const ahead = fault.kind === 'clock' ? ` ${Math.abs(fault.aheadS)} s ${fault.aheadS < 0 ? 'behind' : 'ahead'}` : '';
  return `${fault.kind} ${where}${ahead}${'ms' in fault ? ` for ${fault.ms} ms` : ''}`;
}
