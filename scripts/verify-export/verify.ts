import { Action, type ActionKind } from '@husky/holdem/action';
import type { Fault } from '@husky/match/fault';
import { STREETS } from '@husky/match/game-data';
import { actionNamed, type PublishedHand } from '@husky/match/published-hand';
import { MatchVerifier, type PublishedProof, VerificationFailure } from '@husky/match/verify-match';
import { handFacts } from '../../services/live-data/src/domain/hand-facts.ts';
import { Archive, NotAnExport, type Row, sha256 } from './archive.ts';

export interface Verification {
  readonly matches: number;
  readonly hands: number;
  readonly actions: number;
  /** Matches whose seeds are not published. */
  readonly unpublished: number;
  readonly failures: readonly string[];
}

/** Verifies a file and prints the result. Returns the exit code: 0: verified, 1: failures, 2: not readable. */
export async function verifyFile(path: string, print: (line: string) => void): Promise<number> {
  if (path === '') {
    print('Name the file: make verify EXPORT=export.zip');
    return 2;
  }
  let archive: Archive | undefined;
  try {
    archive = await Archive.open(path);
    print(`${archive.manifest.content}: ${archive.manifest.matches} matches, ${archive.manifest.hands} hands`);
    const { matches, hands, actions, unpublished, failures } = await verifyExport(archive, print);
    if (failures.length > 0) {
      print(`NOT VERIFIED: ${failures.length} ${failures.length === 1 ? 'failure' : 'failures'}.`);
      return 1;
    }
    const note = unpublished > 0 ? ` The seeds of ${unpublished} matches are not published yet.` : '';
    print(
      `Verified: ${matches - unpublished} matches, ${hands} hands and ${actions} actions follow from the committed seeds. All files have their SHA-256.${note}`,
    );
    return 0;
  } catch (error) {
    if (!(error instanceof NotAnExport)) throw error;
    print(error.message);
    return 2;
  } finally {
    archive?.close();
  }
}

/** Verifies an export. Calls `onFailure` with a sentence for each failure, at most once for each file and match. */
export async function verifyExport(archive: Archive, onFailure: (sentence: string) => void): Promise<Verification> {
  const failures: string[] = [];
  const report = (sentence: string) => {
    failures.push(sentence);
    onFailure(sentence);
  };
  await verifyFiles(archive, report);
  const sums = { matches: 0, hands: 0, actions: 0, unpublished: 0 };
  for (const path of archive.paths.filter((one) => one.startsWith('matches/')).sort()) {
    const part = path.slice('matches/'.length);
    try {
      await verifyPart(archive, part, sums, report);
    } catch (error) {
      report(`${part}: the tables cannot be read: ${(error as Error).message}.`);
    }
  }
  const { matches, hands } = archive.manifest;
  if (sums.matches !== matches) report(`The archive has ${sums.matches} matches, its manifest ${matches}.`);
  if (sums.hands !== hands) report(`The archive has ${sums.hands} hands, its manifest ${hands}.`);
  return { ...sums, failures };
}

async function verifyFiles(archive: Archive, report: (sentence: string) => void): Promise<void> {
  const listed = new Set(['manifest.json', ...archive.manifest.files.map(({ path }) => path)]);
  for (const path of archive.paths) if (!listed.has(path)) report(`${path} is not in the manifest.`);
  for (const { path, sha256: expected } of archive.manifest.files) {
    try {
      const content = await archive.read(path);
      if (content === null) report(`${path} is missing.`);
      else if (sha256(content) !== expected) report(`${path}: its SHA-256 is ${sha256(content)}, not ${expected}.`);
    } catch (error) {
      report(`${path} is damaged: ${(error as Error).message}.`);
    }
  }
}

type Sums = { matches: number; hands: number; actions: number; unpublished: number };

/** Verifies the matches of one part. All rows of a match are in the files of one part. */
async function verifyPart(
  archive: Archive,
  part: string,
  sums: Sums,
  report: (sentence: string) => void,
): Promise<void> {
  const read = async (table: string) =>
    groupRows(await archive.rows(`${table}/${part}`), ({ job_id }) => String(job_id));
  const matches = await archive.rows(`matches/${part}`);
  const [results, hands, players, actions] = [
    await read('results'),
    await read('hands'),
    await read('hand_players'),
    await read('actions'),
  ];
  for (const match of matches) {
    const jobId = String(match.job_id);
    const tables = {
      results: results.get(jobId) ?? [],
      hands: hands.get(jobId) ?? [],
      players: groupRows(players.get(jobId) ?? [], ({ hand }) => String(hand)),
      actions: groupRows(actions.get(jobId) ?? [], ({ hand }) => String(hand)),
    };
    sums.matches += 1;
    sums.hands += tables.hands.length;
    if (match.seed === null) {
      sums.unpublished += 1;
      continue;
    }
    try {
      sums.actions += verifyMatch(match, tables);
    } catch (error) {
      const known = error instanceof VerificationFailure || error instanceof RangeError || error instanceof TypeError;
      if (!known) throw error;
      report(`${matchName(match)}: ${error.message}`);
    }
  }
}

interface MatchTables {
  readonly results: readonly Row[];
  readonly hands: readonly Row[];
  readonly players: ReadonlyMap<string, readonly Row[]>;
  readonly actions: ReadonlyMap<string, readonly Row[]>;
}

/** Verifies a match. Returns the number of its actions. Throws VerificationFailure. */
function verifyMatch(match: Row, { results, hands, players, actions }: MatchTables): number {
  const proof = readProof(match);
  const verifier = new MatchVerifier(proof);
  checkRoster(proof.publicInput, results);
  if (Number(match.hands) !== hands.length) {
    throw new VerificationFailure(null, `${hands.length} of ${String(match.hands)} hands are in the archive.`);
  }
  const nets = results.map(() => 0);
  let stacks: readonly number[] = results.map(() => Number(match.starting_stack));
  for (const row of hands.toSorted((a, b) => Number(a.hand) - Number(b.hand))) {
    const key = String(row.hand);
    const published = readHand(row, players.get(key) ?? [], actions.get(key) ?? [], results.length);
    verifier.verifyHand(published);
    checkFacts(row, players.get(key) ?? [], actions.get(key) ?? [], published);
    for (const [seat, delta] of published.deltas.entries()) nets[seat] = (nets[seat] ?? 0) + delta;
    stacks = published.finalStacks;
  }
  for (const [seat, row] of results.entries()) {
    const label = `seat ${seat + 1}`;
    compare(null, `sum of the hands of ${label}`, nets[seat] ?? 0, Number(row.net));
    compare(null, `result of ${label}`, match.no_contest === true ? 0 : (nets[seat] ?? 0), Number(row.delta));
    compare(null, `final stack of ${label}`, stacks[seat] ?? 0, Number(row.final_stack));
  }
  return verifier.finish().actions;
}

function readProof(match: Row): PublishedProof {
  const { commitment, commitment_input: publicInput } = match;
  if (typeof commitment !== 'string' || typeof publicInput !== 'string') {
    throw new VerificationFailure(null, 'It has no commitment.');
  }
  const record =
    match.record_number === null
      ? null
      : {
          number: Number(match.record_number),
          jobHash: String(match.record_job_hash),
          commitment,
          time: String(match.record_time),
          previous: String(match.record_previous),
          hash: String(match.record_hash),
        };
  return { jobId: String(match.job_id), commitment, publicInput, seed: String(match.seed), record };
}

/** Compares players and bots with the committed ones. MatchVerifier has verified the commitment itself. */
function checkRoster(publicInput: string, results: readonly Row[]): void {
  const { roster } = JSON.parse(publicInput) as {
    roster: readonly { userId: string; botHash: string; packagesHash: string }[];
  };
  compare(null, 'number of players', roster.length, results.length);
  for (const [index, { userId, botHash, packagesHash }] of roster.entries()) {
    const row = results[index] ?? {};
    compare(null, 'seat of a result', index + 1, Number(row.seat));
    compare(null, `player of seat ${index + 1}`, userId, String(row.user_id));
    compare(null, `bot of seat ${index + 1}`, botHash, String(row.bot_hash));
    compare(null, `packages of seat ${index + 1}`, packagesHash, String(row.packages_hash ?? ''));
  }
}

const splitCards = (text: unknown): string[] => String(text).split(' ').filter(Boolean);

function readHand(hand: Row, players: readonly Row[], actions: readonly Row[], seats: number): PublishedHand {
  const startStacks = new Array<number>(seats).fill(0);
  const deltas = new Array<number>(seats).fill(0);
  const holeCards = Array.from({ length: seats }, (): string[] => []);
  for (const player of players) {
    const seat = Number(player.seat) - 1;
    startStacks[seat] = Number(player.start_stack);
    deltas[seat] = Number(player.net);
    holeCards[seat] = splitCards(player.cards);
  }
  let pot = 0;
  return {
    number: Number(hand.hand),
    startedAtMs: Number(hand.started_at),
    button: Number(hand.button_seat) - 1,
    ...readBlinds(hand),
    smallBlind: Number(hand.small_blind),
    bigBlind: Number(hand.big_blind),
    startStacks,
    deltas,
    finalStacks: startStacks.map((chips, seat) => chips + (deltas[seat] ?? 0)),
    holeCards,
    board: splitCards(hand.board),
    actions: actions
      .toSorted((a, b) => Number(a.number) - Number(b.number))
      .map((action) => {
        pot += Number(action.amount);
        return { ...readAction(action), potAfter: pot };
      }),
  };
}

/** Returns the seats of the blinds. Exports of earlier releases do not have these columns. */
function readBlinds({ small_blind_seat: small, big_blind_seat: big }: Row) {
  if (big === undefined) return {};
  return { smallBlindSeat: small === null ? null : Number(small) - 1, bigBlindSeat: Number(big) - 1 };
}

function readAction(action: Row): { street: 0 | 1 | 2 | 3; seat: number; kind: ActionKind; amount: number } {
  const street = (STREETS as readonly unknown[]).indexOf(action.street);
  if (street < 0) throw new RangeError(`no street has the name '${String(action.street)}'`);
  return {
    street: street as 0 | 1 | 2 | 3,
    seat: Number(action.seat) - 1,
    kind: actionNamed(String(action.action)),
    amount: Number(action.amount),
  };
}

/** Compares the columns of a hand that are computed from its verified actions. */
function checkFacts(row: Row, players: readonly Row[], actions: readonly Row[], hand: PublishedHand): void {
  const { number, startedAtMs, deltas, startStacks } = hand;
  const record = {
    startedAtMs,
    deltas,
    actions: hand.actions.map(({ street, seat, kind, amount }, index) => {
      const fault = actions[index]?.fault as Fault | null | undefined;
      return { street, seat, kind, amount, adjusted: false, ms: 0, ...(fault ? { fault } : {}) };
    }),
  };
  const facts = handFacts(record, startStacks);
  compare(number, 'pot', facts.pot, Number(row.pot));
  compare(number, 'last street', STREETS[facts.street], String(row.street));
  compare(number, 'showdown', String(facts.showdown), String(row.showdown));
  compare(number, 'all-in', String(facts.allIn), String(row.all_in));
  for (const { seat, folded } of players) {
    const folds = hand.actions.some((action) => action.seat === Number(seat) - 1 && action.kind === Action.FOLD);
    compare(number, `fold of seat ${String(seat)}`, String(folds), String(folded));
  }
}

function compare(hand: number | null, subject: string, expected: string | number, found: string | number): void {
  if (expected === found) return;
  throw new VerificationFailure(hand, `${subject}: expected ${expected || 'none'}, found ${found || 'none'}.`);
}

function groupRows(rows: readonly Row[], keyOf: (row: Row) => string): Map<string, Row[]> {
  return Map.groupBy(rows, keyOf);
}

function matchName({ batch_number: batch, game_number: game, job_id: id }: Row): string {
  return batch === null ? `Match ${String(id)}` : `Game #${String(game)} of batch #${String(batch)} (${String(id)})`;
}
