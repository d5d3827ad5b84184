import { createHash } from 'node:crypto';
import type { SeatPlan } from './job.ts';

const nothing = createHash('sha256').update('').digest('hex');

/** A pinned bot at a seat; one that asks for no packages needs no resolution. */
export function seatPlan(pin: { userId: string; botHash: string; requirementsHash: string }): SeatPlan {
  return { userId: pin.userId, botHash: pin.botHash, packagesHash: pin.requirementsHash === nothing ? '' : null };
}
