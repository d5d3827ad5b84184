import type { GameData } from '@husky/match/game-data';
import { publishedHandOf } from '@husky/match/published-hand';
import {
  checkLinks,
  MatchVerifier,
  type PublishedProof,
  type PublishedRecord,
  VerificationFailure,
} from '@husky/match/verify-match';

/** The published proof of a match with the part of the chain that contains its record. */
export interface Evidence extends PublishedProof {
  readonly links: readonly PublishedRecord[];
}

/** State of a verification. Each message of the worker is one of these. */
export type Verification =
  | { readonly state: 'running'; readonly hands: number; readonly of: number }
  | { readonly state: 'verified'; readonly hands: number; readonly actions: number }
  | { readonly state: 'failed'; readonly reason: string };

/** Messages to the worker in order: the evidence, the bytes of the file as they arrive, and null after the last one. */
export type VerifyMessage = Evidence | Uint8Array | null;

interface Line {
  readonly type: string;
  readonly hand: number;
  readonly game_data: GameData;
  readonly complete?: boolean;
}

/** Verifies a downloaded match (JSON lines, docs/game-data.md) while it arrives. */
export class MatchFileVerifier {
  readonly #verifier: MatchVerifier;
  readonly #decoder = new TextDecoder();
  #rest = '';
  #hands = 0;
  #complete = false;

  /** Throws VerificationFailure if the seed, the commitment and the chain do not fit together. */
  constructor({ links, ...proof }: Evidence) {
    this.#verifier = new MatchVerifier(proof);
    checkLinks(links);
    const { record } = proof;
    if (record !== null && !links.some(({ hash }) => hash === record.hash))
      throw new VerificationFailure(null, `Record ${record.number} is not in the chain.`);
  }

  get progress(): Verification {
    return { state: 'running', hands: this.#hands, of: this.#verifier.plannedHands };
  }

  /** Verifies the hands whose lines have arrived whole. Throws VerificationFailure at the first difference. */
  push(bytes: Uint8Array): void {
    const lines = (this.#rest + this.#decoder.decode(bytes, { stream: true })).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const text of lines) this.#verifyLine(text);
  }

  /** Completes the verification after the last byte. Throws VerificationFailure if the file is only a part of the match. */
  finish(): Verification {
    if (!this.#complete) throw new VerificationFailure(null, 'The download ended before the last hand.');
    const { hands, actions } = this.#verifier.finish();
    return { state: 'verified', hands, actions };
  }

  #verifyLine(text: string): void {
    const number = this.#hands + 1;
    const line = readAs(number, () => JSON.parse(text) as Line);
    if (line.type === 'end') this.#complete = line.complete === true;
    if (line.type !== 'hand') return;
    this.#verifier.verifyHand(readAs(number, () => publishedHandOf(line.game_data, line.hand)));
    this.#hands = number;
  }
}

/** Returns the worker's message handler: it verifies one match and returns the state after each message. */
export function createVerification(): (message: VerifyMessage) => Verification {
  let verifier: MatchFileVerifier | undefined;
  const advance = (message: VerifyMessage): Verification => {
    if (verifier === undefined) {
      verifier = new MatchFileVerifier(message as Evidence);
      return verifier.progress;
    }
    if (message === null) return verifier.finish();
    verifier.push(message as Uint8Array);
    return verifier.progress;
  };
  return (message) => {
    try {
      return advance(message);
    } catch (error) {
      return { state: 'failed', reason: error instanceof Error ? error.message : String(error) };
    }
  };
}

/** Runs a step that only malformed data can fail. */
function readAs<T>(hand: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new VerificationFailure(hand, `it cannot be read (${String(error)}).`);
  }
}
