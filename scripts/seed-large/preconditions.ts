import { minHands } from './seed.ts';

/** Hands cannot be added. The message says why and what to do. */
export class CannotSeed extends Error {}

const maxHands = 1_000_000_000;
/** Tables and indexes with everything around a hand: 311 measured. */
const bytesOfHand = 350;
/** For the write-ahead log (1 GiB measured) and the platform. */
const reserveBytes = 2 * 2 ** 30;

/** Reads HANDS. Throws CannotSeed for an invalid value. */
export function readHands(text: string | undefined): number {
  const hands = Number(text || 2_000_000);
  if (!Number.isInteger(hands) || hands < minHands || hands > maxHands)
    throw new CannotSeed(`HANDS must be an integer from ${minHands} to ${maxHands}, not ${text}.`);
  return hands;
}

/** Throws CannotSeed if the hands need more than the free space of the folder. */
export function requireSpace(hands: number, freeBytes: number, folder: string): void {
  const needed = hands * bytesOfHand + reserveBytes;
  const inGiB = (bytes: number) => (bytes / 2 ** 30).toFixed(1);
  if (needed > freeBytes)
    throw new CannotSeed(
      `${hands} hands need ${inGiB(needed)} GiB on the disk of ${folder}, which has ${inGiB(freeBytes)} GiB free: set a smaller HANDS.`,
    );
}
