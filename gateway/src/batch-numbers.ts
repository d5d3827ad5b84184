import { DomainError } from '@husky/runtime/errors';
import type { Context } from './context.ts';

interface Numbered {
  readonly batchId: string;
  readonly batchNumber: number;
}

const askMs = 2000;
// Away, or in the middle of an upgrade.
const passing: readonly string[] = ['UNAVAILABLE', 'DEADLINE_EXCEEDED', 'UNIMPLEMENTED'];

/**
 * The numbers that these matches' batches are shown with, by batch id. They change with a batch's metadata, which
 * simulation owns; while it cannot say, those that live-data knew when the matches were made.
 */
export async function shownBatchNumbers(
  matches: readonly Numbered[],
  context: Pick<Context, 'simulation'>,
): Promise<ReadonlyMap<string, number>> {
  const known = new Map(matches.filter(({ batchId }) => batchId !== '').map((one) => [one.batchId, one.batchNumber]));
  if (known.size === 0) return known;
  try {
    const request = { batchIds: [...known.keys()] };
    const { batches } = await context.simulation.listBatchNumbers(request, {
      caller: { kind: 'anonymous' },
      timeoutMs: askMs,
    });
    for (const { batchId, batchNumber } of batches) known.set(batchId, batchNumber);
  } catch (error) {
    if (!(error instanceof DomainError && passing.includes(error.code))) throw error;
  }
  return known;
}
