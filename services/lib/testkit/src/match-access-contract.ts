import { randomUUID } from 'node:crypto';
import type { LiveDataServiceDefinition } from '@husky/contracts/types/live/v1/LiveDataService';
import type { RpcClient } from '@husky/runtime/rpc/grpc-client';
import { expect } from 'vitest';

type MatchAccess = Pick<RpcClient<LiveDataServiceDefinition>, 'getMatchAccess' | 'listPublicBatches' | 'purgeMatch'>;

/**
 * Asserts the behaviour of live-data on which simulation relies: it may read every match, unknown batches are private, and a purge is
 * idempotent. Used with live-data itself and with simulation's double of it, with simulation's identity.
 */
export async function expectMatchAccessContract(
  liveData: MatchAccess,
  known: {
    readonly publicJobId: string;
    readonly privateJobId: string;
    readonly publicBatchId: string;
    readonly privateBatchId: string;
  },
): Promise<void> {
  const { publicJobId, privateJobId, publicBatchId, privateBatchId } = known;
  for (const [jobId, isPublic] of [[publicJobId, true] as const, [privateJobId, false] as const]) {
    expect(await liveData.getMatchAccess({ jobId })).toMatchObject({ jobId, isPublic, canRead: true });
  }
  const batchIds = [privateBatchId, publicBatchId, randomUUID()];
  expect(await liveData.listPublicBatches({ batchIds })).toEqual({ batchIds: [publicBatchId] });
  expect(await liveData.listPublicBatches({ batchIds: [] })).toEqual({ batchIds: [] });
  for (const jobId of [privateJobId, privateJobId, randomUUID()]) {
    expect((await liveData.purgeMatch({ jobId })).hands).toBeTypeOf('number');
  }
}
