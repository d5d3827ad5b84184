import type { PublishedRecord } from '@husky/match/commitment';
import { checkSignature, type FileSignature, SignedLines } from '@husky/match/file-signature';
import type { GameData } from '@husky/match/game-data';
import type { NotCovered } from '@husky/match/not-covered';
import { NoteError, type NoteKey, parseKey } from '@husky/match/signed-note';
import { MatchFileVerifier } from '@husky/match/verify-file';
import { checkLinks, type PublishedProof, VerificationFailure } from '@husky/match/verify-match';

/** The published proof of a match with the part of the chain that contains its record. */
export interface Evidence extends PublishedProof {
  readonly links: readonly PublishedRecord[];
  /** Keys of the site. */
  readonly keys: readonly string[];
}

/** State of a verification. Each message of the worker is one of these. */
export type Verification =
  | { readonly state: 'running'; readonly hands: number; readonly of: number }
  | {
      readonly state: 'verified';
      readonly hands: number;
      readonly actions: number;
      readonly notCovered: readonly NotCovered[];
      readonly signature: FileSignature;
    }
  | { readonly state: 'failed'; readonly reason: string };

/** Messages to the worker in order: the evidence, the bytes of the file as they arrive, and null after the last one. */
export type VerifyMessage = Evidence | Uint8Array | null;

interface Line {
  readonly type: string;
  readonly hand: number;
  readonly game_data: GameData;
}

/** Verifies a downloaded match (JSON lines, docs/game-data.md) while it arrives. */
class DownloadVerifier {
  readonly #proof: PublishedProof;
  readonly #keys: readonly NoteKey[];
  readonly #signed = new SignedLines();
  readonly #decoder = new TextDecoder();
  #verifier: MatchFileVerifier | null = null;
  #rest = '';
  #end: object | null = null;

  /** Throws VerificationFailure if the record is not in the chain. */
  constructor({ links, keys, ...proof }: Evidence) {
    this.#proof = proof;
    this.#keys = keys.map(parseKey);
    checkLinks(links);
    const { record } = proof;
    if (record !== null && !links.some(({ hash }) => hash === record.hash))
      throw new VerificationFailure(null, `Record ${record.number} is not in the chain.`);
  }

  get progress(): Verification {
    return { state: 'running', hands: this.#verifier?.hands ?? 0, of: this.#verifier?.plannedHands ?? 0 };
  }

  /** Verifies the hands whose lines have arrived whole. Throws VerificationFailure at the first difference. */
  push(bytes: Uint8Array): void {
    const lines = (this.#rest + this.#decoder.decode(bytes, { stream: true })).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const text of lines) this.#verifyLine(text);
  }

  /** Completes the verification after the last byte. Throws VerificationFailure if the file is only a part of the match. */
  finish(): Verification {
    if (this.#verifier === null || this.#end === null)
      throw new VerificationFailure(null, 'The download ended before the last hand.');
    const { hands, actions, notCovered } = this.#verifier.finish({ ...this.#end });
    return { state: 'verified', hands, actions, notCovered, signature: this.#checkSignature() };
  }

  #checkSignature(): FileSignature {
    try {
      const { signature } = this.#signed;
      return checkSignature({ signature, kind: 'match', hash: this.#signed.digest() }, this.#keys);
    } catch (error) {
      if (!(error instanceof NoteError)) throw error;
      throw new VerificationFailure(null, `signature: ${error.message}.`);
    }
  }

  #verifyLine(text: string): void {
    this.#signed.add(text, '\n');
    const number = (this.#verifier?.hands ?? 0) + 1;
    const { type, ...line } = readAs(number, () => JSON.parse(text) as Line);
    if (type === 'manifest') this.#verifier = new MatchFileVerifier(this.#proof, line);
    if (type === 'end') this.#end = line;
    if (type === 'hand') readAs(number, () => this.#verifier?.verifyGame(line.game_data, line.hand));
  }
}

/** Returns the worker's message handler: it verifies one match and returns the state after each message. */
export function createVerification(): (message: VerifyMessage) => Verification {
  let verifier: DownloadVerifier | undefined;
  const advance = (message: VerifyMessage): Verification => {
    if (verifier === undefined) {
      verifier = new DownloadVerifier(message as Evidence);
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
    if (error instanceof VerificationFailure) throw error;
    throw new VerificationFailure(hand, `it cannot be read (${String(error)}).`);
  }
}
