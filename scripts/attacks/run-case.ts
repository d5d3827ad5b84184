import type { AttackCase } from './case-files.ts';
import { honestBots } from './honest.ts';
import type { Participants, PlatformMatch } from './on-platform.ts';
import { failedOutcome, type Outcome, outcomeOf } from './outcome.ts';
import type { TableOfSix } from './table-of-six.ts';

/** Largest permitted processor time of the honest bots, as a multiple of their time without the attacker. */
const maxSlowdown = 1.5;

/** Uploads a case to a platform, plays its matches there, and repeats each on `reference` without the attacker. Reports problems in the outcome and never rejects. */
export async function runOnPlatform(
  attack: AttackCase,
  participants: Participants,
  reference: TableOfSix,
): Promise<Outcome> {
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1000;
  try {
    const uploaded = await participants.upload(attack);
    if ('refused' in uploaded) return refusedOutcome(attack, uploaded.refused, seconds());
    if (attack.refusal !== undefined) return failedOutcome(attack, 'the upload was accepted', seconds());
    const matches: PlatformMatch[] = [];
    const problems: string[] = [];
    const playOne = async () => {
      const match = await participants.match(uploaded.players, attack.hands);
      matches.push(match);
      const compared = await compare(uploaded.players.length, match, attack, reference);
      problems.push(...compared.problems);
      return compared.slowdown;
    };
    let slowdown = 0;
    for (let number = 0; number < attack.matches; number++) slowdown = Math.max(slowdown, await playOne());
    // A second measurement: other work on the machine may have slowed one of the two compared matches.
    if (slowdown > maxSlowdown) slowdown = Math.min(slowdown, await playOne());
    if (slowdown > maxSlowdown)
      problems.push(`the honest bots took ${slowdown.toFixed(2)} times the processor time, ${maxSlowdown} allowed`);
    return outcomeOf(attack, matches, { problems, slowdown, seconds: seconds() });
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

/** Repeats the match from its published seed with folding bots in the attackers' seats, and compares the two. */
async function compare(attackers: number, match: PlatformMatch, attack: AttackCase, reference: TableOfSix) {
  const folding = Array.from({ length: attackers }, () => null);
  const again = await reference.play(folding, attack.hands, Buffer.from(match.seed, 'hex'));
  const problems: string[] = [];
  const same =
    match.deltas.length === again.deltas.length && match.deltas.every((delta, seat) => delta === again.deltas[seat]);
  if (!same)
    problems.push(
      `results differ from the match without it: ${match.deltas.join(' ')} against ${again.deltas.join(' ')}`,
    );
  for (const [seat, { verdict }] of match.seats.entries()) {
    const name = honestBots[seat - attackers];
    if (seat >= attackers && verdict !== '') problems.push(`honest ${name} at seat ${seat} got a verdict: ${verdict}`);
  }
  const cpu = (values: readonly number[]) => values.slice(attackers).reduce((sum, ms) => sum + ms, 0);
  const alone = cpu(again.reports.map(({ cpuMs }) => cpuMs));
  return { problems, slowdown: cpu(match.seats.map(({ cpuMs }) => cpuMs)) / Math.max(1, alone) };
}
