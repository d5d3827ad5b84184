import { Random } from './random.ts';

/** One thing that goes wrong. */
export interface Fault {
  readonly kind: string;
}

/** What happens at once: one fault, or a pair. `after`: pause before it, so that faults do not hit the same moments. */
export interface Step<F extends Fault> {
  readonly number: number;
  readonly afterMs: number;
  readonly faults: readonly F[];
}

/** Makes one fault of a kind. */
export type Maker<F> = (random: Random) => F;

/** Kinds with their weights: what is likelier in an event happens more often. */
export type WeightedMakers<F> = readonly (readonly [weight: number, maker: Maker<F>])[];

/**
 * Returns the schedule of a seed: the same on every machine, and its first steps do not depend on their number. `further` returns faults of
 * a step that come in addition.
 */
export function drawSchedule<F extends Fault>(
  makers: WeightedMakers<F>,
  seed: number,
  steps: number,
  further: (seed: number, number: number) => readonly F[] = () => [],
): Step<F>[] {
  const random = new Random(seed);
  const total = makers.reduce((sum, [weight]) => sum + weight, 0);
  const makeFault = (): F => {
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
      faults: [first, ...(second === undefined ? [] : [second]), ...further(seed, number)],
    };
  });
}

/**
 * Returns the steps with some kinds of faults only, without those that have none: `clock,kill` are these two, `-clock` are all others.
 * Throws RangeError with a sentence for an unknown kind.
 */
export function withKinds<F extends Fault>(
  steps: readonly Step<F>[],
  kinds: string,
  allKinds: readonly string[],
): Step<F>[] {
  const names = kinds.split(',');
  const unknown = names.filter((name) => !allKinds.includes(name.replace(/^-/, '')));
  if (unknown.length > 0)
    throw new RangeError(`KINDS must name ${allKinds.join(', ')}, or one with - before it; not ${kinds}.`);
  const included = names.filter((name) => !name.startsWith('-'));
  const chosen = ({ kind }: Fault) => !names.includes(`-${kind}`) && (included.length === 0 || included.includes(kind));
  return steps
    .map((step) => ({ ...step, faults: step.faults.filter(chosen) }))
    .filter(({ faults }) => faults.length > 0);
}
