import { type CommittedSeat, nameHash, publishedRecord, type RestRecord, sha256Hex } from './commitment.ts';
import { checkSignature, type FileSignature, signatureOf, withoutSignature } from './file-signature.ts';
import { designCounts, type PlanTable, readTable } from './plan-tables.ts';
import { firstDifference, shown } from './play-difference.ts';
import type { NoteKey } from './signed-note.ts';
import { championOf, rankStage } from './tournament-ranking.ts';
import { checkHash, VerificationFailure } from './verify-match.ts';

export const tournamentFormat = 'husky-holdem-tournament-1';

/** A text whose SHA-256 is in the chain of commitments. */
interface Recorded {
  readonly text: string;
  readonly record: RestRecord;
}

/** A player's result of a stage, the best one first. */
export interface DocumentedResult {
  readonly user_id: string;
  readonly rank: number;
  /** Chips won in the stage. */
  readonly delta: number;
  readonly matches: number;
  readonly advances: boolean;
  /** Chips per 100 hands without luck with the 95 % interval; null: unknown. */
  readonly adjusted: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** Matches in which the bot did not start, and of all its decisions those that failed. */
  readonly never_started: number;
  readonly decisions: number;
  readonly failed_decisions: number;
}

/** How a tournament was run: what was frozen, the plan of each stage, and the results. */
export interface TournamentDocument {
  readonly format: string;
  /** Address of the tournament's page. */
  readonly source: string;
  readonly slug: string;
  readonly name: string;
  /** The frozen list of entrants and stages. */
  readonly list: Recorded;
  /** What opens the hashes of the names; without those of deleted accounts. */
  readonly names: readonly { readonly user_id: string; readonly name: string; readonly salt: string }[];
  /** Those that have ended and whose results are public. */
  readonly stages: readonly (Recorded & {
    readonly name: string;
    readonly batch_number: number;
    readonly started_at: string;
    readonly ended_at: string;
    readonly results: readonly DocumentedResult[];
  })[];
  /** Id of the user; null: not known yet, or nobody was ever better than another. */
  readonly champion: string | null;
}

interface ListText {
  readonly kind: string;
  readonly id: string;
  readonly slug: string;
  readonly roster: readonly (CommittedSeat & { readonly nameHash: string })[];
  readonly stages: readonly StageText[];
}
interface StageText {
  readonly name: string;
  readonly batchId: string;
  readonly hands: number;
  readonly mode: string;
  readonly stacks: string;
  readonly bigBlind: number;
  readonly advance: number | null;
}
interface PlanText {
  readonly kind: string;
  readonly id: string;
  readonly roster: readonly CommittedSeat[];
  readonly hands: number;
  readonly mode: string;
  readonly stacks: string;
  readonly blinds: { readonly bigBlind: number; readonly multiplier: string; readonly interval: number };
  readonly matches: number;
  readonly rulesVersion: number;
  readonly tables: readonly PlanTable[];
}

export interface VerifiedStage {
  readonly name: string;
  readonly players: number;
  readonly matches: number;
  /** At how many tables each player sits, and how often two players meet at one, by the plan. */
  readonly tables_each: Range;
  readonly meetings: Range;
  /** Of the plan's record in the chain. */
  readonly record: number;
}
type Range = { readonly min: number; readonly max: number };

export interface VerifiedTournament {
  readonly entrants: number;
  /** Of the list's record in the chain. */
  readonly record: number;
  readonly stages: readonly VerifiedStage[];
  /** Name of the champion; null: there is none, or the account was deleted. */
  readonly champion: string | null;
  readonly signature: FileSignature;
}

/**
 * Verifies a tournament from the text of its document alone: the frozen list against its record, names and bots against the list, the plan of each stage against the
 * list and a later record, and ranks, cuts and champion against the winnings. The winnings follow from the matches, which the archives of the stages
 * have. Throws VerificationFailure at the first difference, NoteError for a wrong signature, TypeError or SyntaxError for what is no document. Runs in
 * browsers and Node.
 */
export function verifyTournament(text: string, keys: readonly NoteKey[]): VerifiedTournament {
  const document = JSON.parse(text) as TournamentDocument;
  if (document.format !== tournamentFormat) throw new TypeError('another format');
  const verified = verifyDocument(document);
  const hash = sha256Hex(withoutSignature(text));
  const signature = checkSignature({ signature: signatureOf(text), kind: 'tournament', hash }, keys);
  return { ...verified, signature };
}

function verifyDocument(document: TournamentDocument): Omit<VerifiedTournament, 'signature'> {
  const { list: frozen, names, stages, champion } = document;
  const list = JSON.parse(frozen.text) as ListText;
  checkRecord('list', frozen, list.id);
  compare('list', { kind: 'tournament', slug: document.slug }, { kind: list.kind, slug: list.slug });
  for (const { user_id: userId, name, salt } of names) {
    const hash = list.roster.find((one) => one.userId === userId)?.nameHash;
    compare(`name ${name}`, hash ?? 'no entrant', nameHash(salt, name));
  }
  if (stages.length > list.stages.length)
    throw new VerificationFailure(null, 'there are more stages than in the list.');
  let players = list.roster.map(({ userId }) => userId);
  let recordBefore = frozen.record.number;
  const before: ReadonlyMap<string, number>[] = [];
  const verified = stages.map((stage, index): VerifiedStage => {
    const spec = list.stages[index] as StageText;
    const plan = JSON.parse(stage.text) as PlanText;
    const where = `stage ${spec.name}`;
    compare(where, spec.name, stage.name);
    checkRecord(`plan of ${where}`, stage, spec.batchId);
    if (stage.record.number <= recordBefore)
      throw new VerificationFailure(
        null,
        `plan of ${where}: its record ${stage.record.number} is not later than record ${recordBefore}.`,
      );
    recordBefore = stage.record.number;
    comparePlan(`plan of ${where}`, { plan, spec, roster: list.roster, players });
    const { results } = stage;
    compare(`players of ${where}`, [...players].sort(), results.map((one) => one.user_id).sort());
    compare(
      `sum of winnings of ${where}`,
      0,
      results.reduce((sum, { delta }) => sum + delta, 0),
    );
    const points = results.map(({ user_id: userId, delta }) => ({ userId, delta }));
    const ranked = rankStage(points, { advance: spec.advance, before, drawBy: frozen.record.commitment });
    compare(
      `ranking of ${where}`,
      ranked.map(({ userId, rank, advances }) => ({ user_id: userId, rank, advances })),
      results.map(({ user_id, rank, advances }) => ({ user_id, rank, advances })),
    );
    before.push(new Map(points.map(({ userId, delta }) => [userId, delta])));
    const design = designCounts(plan.roster.length, plan.tables.map(readTable));
    players = ranked.filter(({ advances }) => advances).map(({ userId }) => userId);
    return {
      name: spec.name,
      players: results.length,
      matches: plan.matches,
      tables_each: design.blocksOfPlayer,
      meetings: design.blocksOfPair,
      record: stage.record.number,
    };
  });
  const isOver = stages.length === list.stages.length;
  const winner = isOver
    ? championOf(stages.map(({ results }) => results.map(({ user_id: userId, delta }) => ({ userId, delta }))))
    : null;
  compare('champion', winner, champion);
  const named = names.find(({ user_id }) => user_id === champion)?.name ?? null;
  return { entrants: list.roster.length, record: frozen.record.number, stages: verified, champion: named };
}

function compare(what: string, expected: unknown, found: unknown): void {
  const difference = firstDifference(expected, found, { unknown: new Set() });
  if (difference === null) return;
  const { expected: right, found: wrong } = difference;
  throw new VerificationFailure(null, `${what}: expected ${shown(right)}, found ${shown(wrong)}.`);
}

function checkRecord(what: string, { text, record }: Recorded, id: string): void {
  compare(`text of the ${what}`, record.commitment, sha256Hex(text));
  compare(`record of the ${what}`, sha256Hex(`plan:${id}`), record.job_hash);
  checkHash(publishedRecord(record));
}

function comparePlan(
  what: string,
  {
    plan,
    spec,
    roster,
    players,
  }: { plan: PlanText; spec: StageText; roster: ListText['roster']; players: readonly string[] },
): void {
  const { hands, mode, stacks } = spec;
  compare(
    what,
    {
      kind: 'batch',
      id: spec.batchId,
      hands,
      mode,
      stacks,
      blinds: { bigBlind: spec.bigBlind, multiplier: '1', interval: 1 },
    },
    { kind: plan.kind, id: plan.id, hands: plan.hands, mode: plan.mode, stacks: plan.stacks, blinds: plan.blinds },
  );
  compare(`players of the ${what}`, [...players].sort(), plan.roster.map(({ userId }) => userId).sort());
  const frozen = new Map(roster.map((bot) => [bot.userId, bot]));
  for (const { userId, botHash, nonce } of plan.roster) {
    const bot = frozen.get(userId);
    compare(`bot of ${userId} in the ${what}`, bot?.botHash, botHash);
    if (nonce !== undefined) compare(`nonce of ${userId} in the ${what}`, bot?.nonce, nonce);
  }
}
