import { type AttackCase, requirementsOf, sourcesOf } from './case-files.ts';
import { honestBots } from './honest.ts';
import { failedOutcome, type Outcome, outcomeOf } from './judge.ts';
import type { Participants, PlatformMatch } from './on-platform.ts';
import type { PlayedMatch, TableOfSix } from './table-of-six.ts';

/** Maximum processor time of the honest bots as a multiple of their time without the attacker. */
const maxSlowdown = 1.5;
const maxRepeats = 3;

/** Uploads a case to a platform, plays its matches, and repeats each on `reference` without the attacker. Reports problems in the outcome; never rejects. */
export async function runOnPlatform(
  attack: AttackCase,
  participants: Participants,
  reference: TableOfSix,
): Promise<Outcome> {
  const startedMs = performance.now();
  const seconds = () => (performance.now() - startedMs) / 1000;
  try {
    const uploaded = await participants.upload(attack);
    if ('refused' in uploaded) return refusedOutcome(attack, uploaded.refused, seconds());
    if (attack.refusal !== undefined) return failedOutcome(attack, 'the upload was accepted', seconds());
    const matches: PlatformMatch[] = [];
    const problems: string[] = [];
    const playOne = async () => {
      const match = await participants.playMatch(uploaded.players, attack.hands);
      matches.push(match);
      const compared = await compareWithReference(uploaded.players.length, match, attack, reference);
      problems.push(...compared.problems);
      return compared.slowdown;
    };
    let slowdown = 0;
    for (let number = 0; number < attack.matches; number++) slowdown = Math.max(slowdown, await playOne());
    // Measured again, because other work on the machine may have slowed one of the two matches.
    for (let repeat = 0; slowdown > maxSlowdown && repeat < maxRepeats; repeat++) {
      slowdown = Math.min(slowdown, await playOne());
    }
    if (slowdown > maxSlowdown)
      problems.push(`the honest bots took ${slowdown.toFixed(2)} times the processor time, ${maxSlowdown} allowed`);
    const records = matches.map(({ seats }) => seats);
    return outcomeOf(attack, records, { problems, slowdown, seconds: seconds() });
  } catch (error) {
    return failedOutcome(attack, error instanceof Error ? error.message : String(error), seconds());
  }
}

function refusedOutcome(attack: AttackCase, refusal: { status: number; message: string }, seconds: number): Outcome {
  const { status, message } = refusal;
  const seen = `${status}`;
  const expected = attack.refusal;
  if (expected === undefined) return failedOutcome(attack, `the upload was refused (${status}): ${message}`, seconds);
  const isExpected = [400, 413].includes(status) && message.toLowerCase().includes(expected.toLowerCase());
  const problems = isExpected ? [] : [`the upload failed with ${status}: ${message}, expected "${expected}"`];
  return { attack, seen, held: [message], escaped: [], unsure: [], problems, slowdown: Number.NaN, seconds };
}

/** Repeats the match from its published seed with folding bots in the attackers' seats, and compares results and processor time. */
async function compareWithReference(
  attackers: number,
  match: PlatformMatch,
  attack: AttackCase,
  reference: TableOfSix,
) {
  const folding = Array.from({ length: attackers }, () => null);
  const replayed = await reference.play(folding, attack.hands, Buffer.from(match.seed, 'hex'));
  const problems: string[] = [];
  const same =
    match.deltas.length === replayed.deltas.length &&
    match.deltas.every((delta, seat) => delta === replayed.deltas[seat]);
  if (!same)
    problems.push(
      `results differ from the match without it: ${match.deltas.join(' ')} against ${replayed.deltas.join(' ')}`,
    );
  for (const [seat, { verdict }] of match.seats.entries()) {
    const name = honestBots[seat - attackers];
    if (seat >= attackers && verdict !== '') problems.push(`honest ${name} at seat ${seat} got a verdict: ${verdict}`);
  }
  const sumHonest = (cpuMs: readonly number[]) => cpuMs.slice(attackers).reduce((sum, ms) => sum + ms, 0);
  const referenceMs = sumHonest(replayed.reports.map(({ cpuMs }) => cpuMs));
  return { problems, slowdown: sumHonest(match.seats.map(({ cpuMs }) => cpuMs)) / Math.max(1, referenceMs) };
}

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
    const records = matches.map(({ reports }) => reports);
    return outcomeOf(attack, records, { problems, slowdown: Number.NaN, seconds: seconds() });
  } catch (error) {
    return failedOutcome(attack, error instanceof Error ? error.message : String(error), seconds());
  }
}
