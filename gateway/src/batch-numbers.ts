import { DomainError } from '@husky/runtime/rpc/errors';
import type { Context } from './context.ts';

interface Numbered {
  readonly batchId: string;
  readonly batchNumber: number;
}

const timeoutMs = 2000;
// simulation is unavailable, or is being upgraded.
const tolerated: readonly string[] = ['UNAVAILABLE', 'DEADLINE_EXCEEDED', 'UNIMPLEMENTED'];

/**
 * Returns the displayed numbers of the matches' batches, by batch id. Simulation owns them, as part of a batch's metadata;
 * without simulation, returns the numbers that live-data stored when the matches were created.
 */
export async function readBatchNumbers(
  matches: readonly Numbered[],
  context: Pick<Context, 'simulation'>,
): Promise<ReadonlyMap<string, number>> {
  const known = new Map(matches.filter(({ batchId }) => batchId !== '').map((one) => [one.batchId, one.batchNumber]));
  if (known.size === 0) return known;
  try {
    const request = { batchIds: [...known.keys()] };
    const { batches } = await context.simulation.listBatchNumbers(request, {
      caller: { kind: 'anonymous' },
      timeoutMs,
    });
    for (const { batchId, batchNumber } of batches) known.set(batchId, batchNumber);
  } catch (error) {
    if (!(error instanceof DomainError && tolerated.includes(error.code))) throw error;
  }
  return known;
}
