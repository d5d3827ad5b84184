import type { ChainCheck__Output } from '@husky/contracts/types/simulation/v1/ChainCheck';
import type { Plan__Output } from '@husky/contracts/types/simulation/v1/Plan';
import type { SignedHead__Output } from '@husky/contracts/types/simulation/v1/SignedHead';
import { DomainError } from '@husky/runtime/rpc/errors';
import { z } from 'zod';
import { route } from '../../http/route.ts';
import { jobParams, pathName } from '../../http/schema.ts';
import { findBatch } from '../batches/routes.ts';
import { presentRecord, presentSeedProof } from './present.ts';
import {
  commitmentList,
  commitmentResponse,
  commitmentsQuery,
  planResponse,
  repetitionCounts,
  seedResponse,
  signedHeadResponse,
} from './schema.ts';

function presentPlan({ id, text, record, names, note }: Plan__Output) {
  return {
    id,
    plan: text || null,
    record: record && presentRecord(record),
    names: names.map(({ userId, name, salt }) => ({ user_id: userId, name, salt })),
    note: note || null,
  };
}

function presentCheck(check: ChainCheck__Output | null) {
  if (check === null) return null;
  return {
    state: check.problem === '' ? ('verified' as const) : ('broken' as const),
    verified_number: check.verifiedNumber,
    verified_at: check.verifiedAt || null,
    checked_at: check.checkedAt,
    problem: check.problem || null,
  };
}

function presentSignedHead({ number, hash, note, keys }: SignedHead__Output) {
  return {
    number,
    hash: hash || null,
    signed_head: note || null,
    keys: keys.map(({ key, madeAt, change }) => ({ key, made_at: madeAt, change: change || null })),
  };
}

/** Calls that show how the cards of a match were fixed (docs/fairness.md). */
export const fairnessRoutes = [
  route('GET /live/job/{id}/commitment', {
    access: 'anyone',
    tokenScope: 'read',
    summary:
      'The commitment of a match and what it is over except the seed, from the moment a runner can claim the match',
    params: jobParams,
    response: commitmentResponse,
    refusals: [403, 404, 409],
    shared: { among: 'visitors' },
    async handle({ params, context, caller }) {
      const job = await context.simulation.getJob({ jobId: params.id }, { caller });
      if (!job.commitmentDetails) {
        const message = 'The commitment is made once the packages of all bots are known.';
        throw new DomainError('FAILED_PRECONDITION', 'not-committed', message);
      }
      const { publicInput, record, digest } = job.commitmentDetails;
      return {
        job_id: job.id,
        commitment: job.commitment,
        public_input: publicInput,
        committed_at: record?.time ?? null,
        record: record && presentRecord(record),
        digest: digest || null,
      };
    },
  }),
  route('GET /live/commitments', {
    access: 'anyone',
    summary: "The platform's chain of commitments, public and private matches alike, by number",
    query: commitmentsQuery,
    response: commitmentList,
    shared: { among: 'everyone' },
    async handle({ query, context, caller }) {
      const { records, lastNumber, lastHash, signedHead, check } = await context.simulation.listCommitments(query, {
        caller,
      });
      const head = lastNumber === 0 ? null : { number: lastNumber, hash: lastHash };
      return {
        commitments: records.map(presentRecord),
        head,
        signed_head: signedHead || null,
        check: presentCheck(check),
      };
    },
  }),
  route('GET /live/repetitions', {
    access: 'anyone',
    summary: 'How many finished matches the platform drew and played again, bots included, and how many were equal',
    response: repetitionCounts,
    shared: { among: 'everyone' },
    async handle({ context, caller }) {
      const counts = await context.simulation.countRepetitions({}, { caller });
      const { pending, equal, different, byLimit, notCompared, lastDrawnAt } = counts;
      return {
        pending,
        equal,
        different,
        different_by_limit: byLimit,
        not_compared: notCompared,
        last_drawn_at: lastDrawnAt || null,
      };
    },
  }),
  route('GET /live/signed-head', {
    access: 'anyone',
    summary: "The newest head of the chain, signed with the platform's key, and the platform's keys",
    response: signedHeadResponse,
    handle: async ({ context, caller }) => presentSignedHead(await context.simulation.getSignedHead({}, { caller })),
  }),
  route('POST /admin/signing-key', {
    access: 'admin',
    summary: "Replace the platform's signing key by a new one, which the old one signs",
    body: z.strictObject({ key: z.string().max(200).describe('the key to replace: 409 when another one signs now') }),
    response: signedHeadResponse,
    refusals: [409],
    handle: async ({ body, context, caller }) =>
      presentSignedHead(await context.simulation.changeSigningKey(body, { caller })),
  }),
  route('GET /live/job/{id}/plan', {
    access: 'anyone',
    tokenScope: 'read',
    summary:
      'The plan of the batch, deal set or match to which a match belongs, committed to before its seed was drawn',
    params: jobParams,
    response: planResponse,
    refusals: [403, 404],
    handle: async ({ params, context, caller }) =>
      presentPlan(await context.simulation.getPlan({ jobId: params.id }, { caller })),
  }),
  route('GET /batches/{number}/plan', {
    access: 'anyone',
    tokenScope: 'read',
    summary: 'The plan of a batch, committed to before its first seed was drawn',
    params: pathName('number'),
    response: planResponse,
    refusals: [404],
    async handle({ params, context, caller }) {
      const { id: batchId } = await findBatch(params.number ?? '', context, caller);
      return presentPlan(await context.simulation.getPlan({ batchId }, { caller }));
    },
  }),
  route('GET /live/job/{id}/seed', {
    access: 'anyone',
    tokenScope: 'read',
    summary: 'The seed and its commitment, once the last match that uses it has finished',
    params: jobParams,
    response: seedResponse,
    refusals: [403, 404, 409],
    shared: { among: 'visitors' },
    async handle({ params, context, caller }) {
      const seed = await context.simulation.getSeed({ jobId: params.id }, { caller });
      return {
        job_id: seed.jobId,
        seed: seed.seedHex,
        commitment: seed.commitment,
        commitment_input: seed.commitmentInput,
        seed_proof: presentSeedProof(seed),
      };
    },
  }),
];
