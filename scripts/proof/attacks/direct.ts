import { type AttackCase, requirementsOf, sourcesOf } from './case-files.ts';
import { failedOutcome, type Outcome, outcomeOf } from './outcome.ts';
import type { PlayedMatch, TableOfSix } from './table-of-six.ts';

const seed = new Uint8Array(32).fill(12);

/** Returns whether a case can be played without uploads and packages. */
export const canRunDirectly = (attack: AttackCase) => attack.refusal === undefined && requirementsOf(attack) === '';

/** Matches without an attacker, by host and by number of attackers and hands. */
const references = new WeakMap<TableOfSix, Map<string, PlayedMatch>>();

/** Plays a case on a seat host without a platform. Reports problems in the outcome and never rejects. */
export async function runDirectly(attack: AttackCase, table: TableOfSix): Promise<Outcome> {
  const startedMs = performance.now();
  const seconds = () => (performance.now() - startedMs) / 1000;
  const sources = sourcesOf(attack);
  const key = `${sources.length} ${attack.hands}`;
  const cached = references.get(table) ?? new Map<string, PlayedMatch>();
  references.set(table, cached);
  try {
    const reference =
      cached.get(key) ??
      (await table.play(
        sources.map(() => null),
        attack.hands,
        seed,
      ));
    cached.set(key, reference);
    const matches: PlayedMatch[] = [];
    const problems: string[] = [];
    for (let number = 0; number < attack.matches; number++) {
      const played = await table.play(sources, attack.hands, seed);
      matches.push(played);
      if (!played.deltas.every((delta, seat) => delta === reference.deltas[seat]))
        problems.push(`results differ: ${played.deltas.join(' ')} against ${reference.deltas.join(' ')}`);
      for (const { seat, verdict } of played.reports.slice(sources.length))
        if (verdict !== '') problems.push(`honest seat ${seat} got a verdict: ${verdict}`);
    }
    const records = matches.map(({ reports }) => ({ seats: reports }));
    return outcomeOf(attack, records, { problems, slowdown: Number.NaN, seconds: seconds() });
  } catch (error) {
    return failedOutcome(attack, error instanceof Error ? error.message : String(error), seconds());
  }
}
