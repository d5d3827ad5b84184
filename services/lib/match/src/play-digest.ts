import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { actionsOf, type GameData, moneyOf } from './game-data.ts';

/** Hashed before the first hand. Increase the number with every change of the form of `playedFacts`. */
const version = 'husky-holdem play 1';

/**
 * Digest over what was dealt and played, without times and names: equal for two plays of the same match. The digest of a stored
 * match (digest.ts) covers times and texts too and therefore differs between two plays. p0 = SHA-256(version), p(k) =
 * SHA-256(p(k-1) || playedFacts of hand k). Runs in browsers.
 */
export class PlayDigest {
  #state = sha256(utf8ToBytes(version));

  /** Adds the next hand. */
  add(game: GameData, number: number): void {
    this.#state = sha256(concatBytes(this.#state, utf8ToBytes(playedFacts(game, number))));
  }

  /** Digest over all hands added so far, as lower-case hex. */
  get hex(): string {
    return bytesToHex(this.#state);
  }
}

/**
 * Returns the facts of a hand that do not depend on time or names: JSON without spaces of [hand, button, [small, big], [cards by seat],
 * board, [[street, seat, action, chips added, fault or 'adjusted' or null], ...], [chips won by seat]].
 */
export function playedFacts(game: GameData, number: number): string {
  const seats = Object.keys(game.playerNames).map(Number);
  return JSON.stringify([
    number,
    game.button,
    [game.blinds.small, game.blinds.big],
    seats.map((seat) => game.playerHands[seat] ?? []),
    game.finalBoard,
    actionsOf(game).map(({ round, player, action, amount, verdict }) => [
      round,
      player,
      action,
      amount,
      verdict ?? null,
    ]),
    seats.map((seat) => moneyOf(game, 'finalMoney', seat) - moneyOf(game, 'startingMoney', seat)),
  ]);
}
