import { DomainError } from '@husky/runtime/rpc/errors';
import { HttpError } from '../../http/errors.ts';
import { route } from '../../http/route.ts';
import { presentMetadata } from './present.ts';
import { batchOrder, batchParams, gameParams, metadata, metadataBody, metadataQuery, savedMetadata } from './schema.ts';

const maxBytes = 64 * 1024;

export const batchMetadataRoutes = [
  route('GET /llm/batch/{id}/metadata', {
    access: 'anyone',
    summary: "A batch's metadata: for admins, and for anyone if the batch is public",
    params: batchParams,
    response: metadata,
    refusals: [403, 404],
    async handle({ params, context, caller }) {
      return presentMetadata(await context.simulation.getBatchMetadata({ batchId: params.id }, { caller }));
    },
  }),
  route('POST /llm/batch/{id}/metadata', {
    access: 'admin',
    summary: 'Store a JSON object of at most 64 KB as the metadata of a batch',
    params: batchParams,
    query: metadataQuery,
    body: metadataBody,
    response: savedMetadata,
    refusals: [400, 404, 409],
    async handle({ params, query, body, context, caller }) {
      const metadataJson = JSON.stringify(body);
      if (Buffer.byteLength(metadataJson) > maxBytes) {
        throw new HttpError(413, 'body-too-large', 'The metadata is larger than 64 KB');
      }
      const expected = query.expected_metadata_id;
      const saved = await context.simulation.setBatchMetadata(
        { batchId: params.id, metadataJson, ...(expected === undefined ? {} : { expectedMetadataId: expected }) },
        { caller },
      );
      return { metadata_id: saved.metadataId, batch_entries_updated: saved.batchEntries, action: saved.action };
    },
  }),
  route('GET /llm/game-log/{game_id}/batch-order', {
    access: 'anyone',
    summary: "The batch of a hand's match, and the number of the match in it; 404 outside of a batch",
    params: gameParams,
    response: batchOrder,
    refusals: [403, 404],
    async handle({ params, context, caller }) {
      const hand = await context.liveData.getHand({ gameId: params.game_id }, { caller });
      const request = { batchIds: hand.batchId === '' ? [] : [hand.batchId] };
      const { batches, total } = await context.simulation.listBatchNumbers(request, { caller });
      const [batch] = batches;
      // A client of the original prints what it reads: "Batch null".
      if (!batch) throw new DomainError('NOT_FOUND', 'no-batch', 'The match of this hand belongs to no batch');
      return {
        batch_order: batch.batchNumber,
        batch_id: hand.batchId,
        game_number: hand.gameNumber,
        total_batches: total,
      };
    },
  }),
];
