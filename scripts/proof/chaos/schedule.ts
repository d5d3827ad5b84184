import { Random } from './random.ts';

/** A fault of any testbed. */
export interface Fault {
  readonly kind: string;
}

/** Faults that are injected at once. `afterMs`: pause before the step, so that faults do not always hit the same moments. */
export interface Step<F extends Fault> {
  readonly number: number;
  readonly afterMs: number;
  readonly faults: readonly F[];
}

/** Draws a fault of a kind. */
export type Maker<F> = (random: Random) => F;

/** Kinds of faults with their weights: likelier ones have a larger weight. */
export type WeightedMakers<F> = readonly (readonly [weight: number, maker: Maker<F>])[];

/**
 * Returns the schedule for a seed: the same on every machine, and its first steps do not depend on the number of steps. `drawMore` returns
 * additional faults of a step.
 */
export function drawSchedule<F extends Fault>(
  makers: WeightedMakers<F>,
  seed: number,
  steps: number,
  drawMore: (seed: number, number: number) => readonly F[] = () => [],
): Step<F>[] {
  const random = new Random(seed);
  const total = makers.reduce((sum, [weight]) => sum + weight, 0);
  const drawFault = (): F => {
    let point = random.next() * total;
    for (const [weight, make] of makers) {
      point -= weight;
      if (point < 0) return make(random);
    }
    throw new RangeError('the weights do not add up');
  };
  return Array.from({ length: steps }, (_, index) => {
    const afterMs = random.integer(0, 1500);
    const first = drawFault();
    const second = random.next() < 0.3 ? drawFault() : undefined;
    const number = index + 1;
    return {
      number,
      afterMs,
      faults: [first, ...(second === undefined ? [] : [second]), ...drawMore(seed, number)],
    };
  });
}

/**
 * Returns the steps with only some kinds of faults, without steps that have none of them: `clock,kill` selects these two, `-clock` all
 * others. Throws RangeError for an unknown kind.
 */
export function filterKinds<F extends Fault>(
  steps: readonly Step<F>[],
  kinds: string,
  allKinds: readonly string[],
): Step<F>[] {
  const names = kinds.split(',');
  const unknown = names.filter((name) => !allKinds.includes(name.replace(/^-/, '')));
  if (unknown.length > 0)
    throw new RangeError(`KINDS must name ${allKinds.join(', ')}, or one with - before it; not ${kinds}.`);
  const included = names.filter((name) => !name.startsWith('-'));
  const isSelected = ({ kind }: Fault) =>
    !names.includes(`-${kind}`) && (included.length === 0 || included.includes(kind));
  return steps
    .map((step) => ({ ...step, faults: step.faults.filter(isSelected) }))
    .filter(({ faults }) => faults.length > 0);
}
