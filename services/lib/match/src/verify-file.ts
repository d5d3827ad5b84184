import { Action } from '@husky/holdem/action';
import type { Hand } from '@husky/holdem/hand';
import { quicknet } from './beacon.ts';
import { restRecord, restSeedProof } from './commitment.ts';
import { csvCells, csvRows } from './csv.ts';
import { faultNamed } from './fault.ts';
import { actionsOf, type GameData } from './game-data.ts';
import { gameData, nameGame } from './game-json.ts';
import { type NotCovered, notCovered, unknownFields } from './not-covered.ts';
import { phhFields, phhOf } from './phh.ts';
import { type PlannedPlace, type PublishedPlan, readPlan } from './plan-names.ts';
import { type Difference, firstDifference, shown } from './play-difference.ts';
import { PlayDigest } from './play-digest.ts';
import { adjustedText, playedHandOf } from './played-hand.ts';
import { publishedHandOf } from './published-hand.ts';
import type { RecordedAction } from './record.ts';
import { type Note, type Played, playCsv, playPhh } from './recorded-notes.ts';
import { MatchVerifier, type PublishedProof, VerificationFailure, type VerifiedMatch } from './verify-match.ts';

type Json = Readonly<Record<string, unknown>>;

export interface VerifiedFile extends VerifiedMatch {
  readonly notCovered: readonly NotCovered[];
  /** Null without a plan. */
  readonly place: PlannedPlace | null;
}

const isUserId = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/**
 * Verifies the file of a match (docs/game-data.md) in any of its formats: each hand is dealt and played again, its data are computed
 * from that, and every value of the file is compared with them. Pass the manifest, all hands in order and the end. All methods throw
 * VerificationFailure, with the field, at the first difference. Runs in browsers and Node.
 */
export class MatchFileVerifier {
  readonly #verifier: MatchVerifier;
  readonly #proof: PublishedProof;
  readonly #digest = new PlayDigest();
  readonly #unknown = new Set<string>();
  readonly #names: readonly string[];
  readonly #manifest: Json;
  #hands = 0;
  #namesAreCommitted = false;
  #place: PlannedPlace | null = null;
  /** Whether the hands read so far determine the play digest. */
  #exact = true;

  constructor(proof: PublishedProof, manifest: Json) {
    this.#proof = proof;
    this.#verifier = new MatchVerifier(proof);
    this.#manifest = manifest;
    this.#names = this.#checkManifest();
  }

  /** Most hands that the match may have. */
  get plannedHands(): number {
    return this.#verifier.facts.hands;
  }

  get hands(): number {
    return this.#hands;
  }

  /** Verifies the next hand of a file of JSON lines. Throws TypeError or RangeError for another form. */
  verifyGame(game: GameData, number: number): Hand {
    const published = publishedHandOf(game, number);
    const hand = this.#verifier.verifyHand(published);
    const texts = new Map(
      ((game.verdicts ?? []) as readonly { round: number; index: number; text?: string }[]).map(
        ({ round, index, text }) => [`${round}:${index}`, text],
      ),
    );
    const counts = new Map<number, number>();
    const notes = actionsOf(game).map(({ round, timestamp, verdict }): Note => {
      const index = counts.get(round) ?? 0;
      counts.set(round, index + 1);
      return { ms: timestamp - published.startedAtMs, code: verdict, text: texts.get(`${round}:${index}`) };
    });
    this.#compare(number, this.#gameOf(hand, published.startedAtMs, notes), game);
    this.#add(game, number);
    return hand;
  }

  /** Verifies the next hand of a PHH file: the lines of its table, without the header. */
  verifyPhh(lines: readonly string[], number: number): void {
    const field = (name: string) => lines.find((line) => line.startsWith(`${name} = `))?.slice(name.length + 3) ?? '';
    const two = (name: string) => field(name).padStart(2, '0');
    const startedAtMs = Date.parse(`${field('year')}-${two('month')}-${two('day')}T${field('time')}Z`);
    const hand = this.#verifier.startHand(number, startedAtMs);
    const game = this.#finish(hand, startedAtMs, playPhh(hand, number, lines));
    this.#compare(number, phhFields(phhOf(game, number, this.#proof.jobId)), phhFields(lines.join('\n')));
    this.#add(game, number);
  }

  /** Verifies the next hand of a CSV file: its rows. */
  verifyCsv(rows: readonly Readonly<Record<string, string>>[], number: number): void {
    const startedAtMs = Date.parse(rows[0]?.started_at ?? '');
    const hand = this.#verifier.startHand(number, startedAtMs);
    const bySeat = new Map(rows.map((row) => [Number(row.seat) - 1, row]));
    for (const [seat, dealt] of hand.dealtIn.entries()) {
      if (dealt === bySeat.has(seat)) continue;
      throw failure(number, { path: 'seat', expected: dealt ? seat + 1 : '', found: dealt ? '' : seat + 1 });
    }
    const game = this.#finish(hand, startedAtMs, playCsv(hand, number, bySeat));
    const expected = csvRows(game, number).trimEnd().split('\r\n').map(csvCells);
    const found = rows.map((row) => Object.values(row));
    const columns = Object.keys(rows[0] ?? {});
    for (const [place, cells] of expected.entries()) {
      const seat = bySeat.has(Number(cells[7]) - 1) ? `, seat ${cells[7]}` : '';
      for (const [index, column] of columns.entries()) {
        if (cells[index] === undefined) this.#unknown.add(column);
        else if (cells[index] !== found[place]?.[index])
          throw failure(number, { path: column, expected: cells[index], found: found[place]?.[index] }, seat);
      }
    }
    if (found.length !== expected.length)
      throw failure(number, { path: 'seat', expected: `${expected.length} rows`, found: `${found.length} rows` });
    this.#add(game, number);
  }

  /** Checks the end of the file and that all hands were there. SignedLines checks its signature. */
  finish(end: Json): VerifiedFile {
    const result = this.#verifier.finish();
    const expected: Json = {
      complete: true,
      hands: this.#hands,
      ...(this.#exact && end.play_digest !== undefined && { play_digest: this.#digest.hex }),
    };
    const { play_digest, signature: _, ...others } = end;
    const found = this.#exact && play_digest !== undefined ? { ...others, play_digest } : others;
    this.#compare(null, expected, found, (path) => path === 'play_digest');
    this.#compare(null, { hands: this.#hands }, { hands: this.#manifest.hands });
    return { ...result, notCovered: this.#notCovered(play_digest !== undefined), place: this.#place };
  }

  #notCovered(hasPlayDigest: boolean): NotCovered[] {
    const { names, seedChoice, beacon, choices, times, verdicts, digest, statements, playDigest } = notCovered;
    const found: NotCovered[] = [choices, times, verdicts, digest, statements];
    if (!this.#namesAreCommitted) found.unshift(names);
    const { beacon: round, seeds } = this.#verifier.facts;
    if (!seeds) found.push(seedChoice);
    if (round && round.chain !== quicknet.hash) found.push(beacon);
    if (!this.#exact && hasPlayDigest) found.push(playDigest);
    if (this.#unknown.size > 0) found.push(unknownFields(this.#unknown));
    return found;
  }

  /** Compares the manifest with the committed facts. Returns the names by seat. */
  #checkManifest(): string[] {
    const { facts } = this.#verifier;
    const { jobId, commitment, publicInput, seed, record, seedProof } = this.#proof;
    const players = this.#manifest.players as readonly { readonly username?: unknown }[] | undefined;
    if (!Array.isArray(players)) throw new VerificationFailure(null, 'players: the manifest names none.');
    const { bigBlind, multiplier, interval } = facts.blinds;
    const plan = this.#manifest.plan as PublishedPlan | undefined;
    const planned = plan ? readPlan(plan, facts) : null;
    this.#place = planned?.place ?? null;
    // In a local match the name of a bot is its id.
    const committed = facts.roster.map(
      ({ userId }, seat) => planned?.names[seat] ?? (isUserId(userId) ? null : userId),
    );
    this.#namesAreCommitted = !committed.includes(null);
    const names = committed.map((name, seat) => name ?? String(players[seat]?.username));
    const expected = {
      job_id: jobId,
      players: facts.roster.map(({ userId, botHash, packagesHash }, seat) => ({
        seat: seat + 1,
        username: names[seat],
        user_id: userId,
        bot_hash: botHash,
        packages_hash: packagesHash || null,
      })),
      num_rounds: facts.hands,
      stacks: facts.stacks ?? 'carry',
      blinds: { big_blind: bigBlind, multiplier, interval },
      rules_version: facts.rulesVersion,
      ...(planned && { plan }),
      ...(planned && planned.batchId !== null && { batch_id: planned.batchId, game_number: facts.plan?.game }),
      commitment,
      commitment_input: publicInput,
      commitment_record: record && restRecord(record),
      seed,
      ...(seedProof && facts.seeds && { seed_proof: restSeedProof(seedProof) }),
    };
    const free = new Set<string>(['type', 'hands', ...notCovered.statements.fields, ...notCovered.digest.fields]);
    const known = new Set(Object.keys(expected));
    const found = Object.fromEntries(
      Object.entries(this.#manifest).filter(([key]) => known.has(key) || !free.has(key)),
    );
    // Files of earlier releases do not have every key.
    const optional = (path: string) =>
      !path.startsWith('players.') || !/[.](username|bot_hash)$|^players[.]\d+$/.test(path);
    this.#compare(null, expected, found, optional);
    return names;
  }

  #finish(hand: Hand, startedAtMs: number, { notes, exact }: Played): GameData {
    this.#exact &&= exact;
    this.#verifier.finishHand(hand);
    return this.#gameOf(hand, startedAtMs, notes);
  }

  /** Returns the game data of a finished hand. */
  #gameOf(hand: Hand, startedAtMs: number, notes: readonly Note[]): GameData {
    const number = this.#hands + 1;
    let before = 0;
    const actions = hand.log.map((action, index): RecordedAction => {
      const { ms, code, text = '' } = notes[index] ?? { ms: 0 };
      if (!Number.isSafeInteger(ms) || ms < before)
        throw new VerificationFailure(number, `timestamp of action ${index + 1}: its time runs back.`);
      before = ms;
      if (code === undefined) return { ...action, adjusted: false, ms };
      const fault = faultNamed(code);
      if (fault === undefined ? code !== 'adjusted' : action.kind !== Action.FOLD)
        throw new VerificationFailure(number, `verdict of action ${index + 1}: '${code}' does not fit the action.`);
      if (fault !== undefined) return { ...action, adjusted: false, ms, fault };
      const detail = text.startsWith(`${adjustedText}: `) ? text.slice(adjustedText.length + 2) : undefined;
      return { ...action, adjusted: true, ms, ...(detail !== undefined && { detail }) };
    });
    const { facts, stacks } = this.#verifier;
    const played = playedHandOf(hand, { startedAtMs, actions }, stacks, facts.startingStack, () => false);
    return nameGame(gameData(this.#proof.jobId, played) as unknown as Record<string, unknown>, this.#names);
  }

  #add(game: GameData, number: number): void {
    this.#digest.add(game, number);
    this.#hands = number;
  }

  #compare(hand: number | null, expected: object, found: object, optional = optionalInHands): void {
    const difference = firstDifference(expected, found, { unknown: this.#unknown, optional });
    if (difference !== null) throw failure(hand, difference);
  }
}

// Files of earlier releases do not name the seats of the blinds.
const optionalInHands = (path: string): boolean => path === 'smallBlindSeat' || path === 'bigBlindSeat';

function failure(hand: number | null, { path, expected, found }: Difference, where = ''): VerificationFailure {
  return new VerificationFailure(hand, `${path}${where}: expected ${shown(expected)}, found ${shown(found)}.`);
}
