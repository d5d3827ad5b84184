import type { Job__Output } from '@husky/contracts/types/simulation/v1/Job';
import type { Caller } from '@husky/runtime/rpc/caller';
import { DomainError } from '@husky/runtime/rpc/errors';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { botFilesOf, botForm } from '../../http/multipart.ts';
import { reply, route } from '../../http/route.ts';
import { jobParams, listQuery, message } from '../../http/schema.ts';
import { readSignedHead } from '../../signatures.ts';
import { readVersions } from '../live/bot-code.ts';
import { jobKinds, jobStatusName, presentOwnJob, presentPlayedJob, presentStatus } from './present.ts';
import {
  createdJob,
  jobStatus,
  matchBody,
  ownJob,
  playedJob,
  playedQuery,
  runAgainBody,
  testRunQuery,
} from './schema.ts';

// A test run first checks the upload, which starts a Python process.
const testRunTimeoutMs = 30_000;

const presentTestRun = async (job: Job__Output, context: Context) => ({
  job_id: job.id,
  job_status: jobStatusName(job),
  message: 'Simulation job created',
  warnings: job.uploadWarnings,
  signed_head: await readSignedHead(context),
});

/** Returns the test run of a user's bot in a match, with the same opponents if that was one, or of one of the user's submissions. Throws NOT_FOUND or PERMISSION_DENIED. */
async function readFilesOf(
  body: z.infer<typeof runAgainBody>,
  userId: string,
  { context, caller }: { readonly context: Context; readonly caller: Caller },
) {
  const { job_id: jobId = '', submission_id: submissionId } = body;
  if (submissionId === undefined) {
    const played = await context.simulation.getJob({ jobId: jobId.toLowerCase() }, { caller });
    const { playerFile, requirementsFile } = (await readVersions(played, userId, { context, caller })).version;
    const { against } = played;
    return { playerFile, requirementsFile, against, ...(against === '' ? {} : { numRounds: played.numRounds }) };
  }
  const saved = await context.submission.getSubmission({ submissionId }, { caller });
  const { version } = await context.submission.getBotVersion({ userId, botHash: saved.botHash }, { caller });
  if (version === null) throw new DomainError('NOT_FOUND', 'version-not-found', 'These files are not stored any more.');
  const { playerFile, requirementsFile } = version;
  return { playerFile, requirementsFile };
}

export const simRoutes = [
  route('GET /sim/status/all', {
    access: 'verified',
    tokenScope: 'read',
    summary: "The caller's own jobs, newest first (X-Total-Count: total)",
    query: listQuery,
    response: z.array(ownJob),
    refusals: [400],
    async handle({ query, context, caller }) {
      const ownerId = caller.kind === 'user' ? caller.id : '';
      const { jobs, total } = await context.simulation.listJobs(
        { ownerId, status: query.status, q: query.q, page: query.page, pageSize: query.page_size },
        { caller },
      );
      const nameOf = await context.names.of(jobs.flatMap((job) => job.playerIds));
      return reply({
        body: jobs.map((job) => presentOwnJob(job, nameOf)),
        headers: { 'X-Total-Count': String(total) },
      });
    },
  }),
  route('GET /sim/played', {
    access: 'verified',
    tokenScope: 'read',
    summary:
      "Matches that a user's bot plays or has played, newest first (X-Total-Count: total). The user's own and admins' only",
    query: playedQuery,
    response: z.array(playedJob),
    refusals: [400, 404],
    async handle({ query, context, caller }) {
      const ownId = caller.kind === 'user' ? caller.id : '';
      const userId = query.username === '' ? ownId : await context.names.idOf(query.username);
      const ownerId = query.role === 'any' ? userId : '';
      const { page, page_size: pageSize, status } = query;
      const request = { playerId: userId, ownerId, kinds: jobKinds(query.kind), status, page, pageSize };
      const { jobs, total } = await context.simulation.listJobs(request, { caller });
      const nameOf = await context.names.of(jobs.flatMap((job) => job.playerIds));
      return reply({
        body: jobs.map((job) => presentPlayedJob(job, userId, nameOf)),
        headers: { 'X-Total-Count': String(total) },
      });
    },
  }),
  route('GET /sim/status/{id}', {
    access: 'anyone',
    tokenScope: 'read',
    summary: 'One job: its owner, its players, admins, and anyone once it is public',
    params: jobParams,
    response: jobStatus,
    refusals: [403, 404],
    shared: { among: 'visitors' },
    async handle({ params, context, caller }) {
      const job = await context.simulation.getJob({ jobId: params.id }, { caller });
      return presentStatus(job, await context.names.of(job.playerIds));
    },
  }),
  route('POST /sim/async_run', {
    access: 'verified',
    tokenScope: 'submit',
    repeatable: true,
    summary: 'Test run of an upload: by default ten hands, heads-up, against the house bot',
    multipart: botForm(['python_file', 'playerFile'], ['packages_file', 'requirementsFile']),
    query: testRunQuery,
    response: createdJob,
    carriesStatusCode: true,
    refusals: [400, 413, 415, 429],
    changesShared: false,
    async handle({ files, query, context, caller }) {
      const request = { ...botFilesOf(files), against: query.against, numRounds: query.num_rounds };
      const job = await context.simulation.createTestRun(request, { caller, timeoutMs: testRunTimeoutMs });
      return presentTestRun(job, context);
    },
  }),
  route('POST /sim/run_again', {
    access: 'verified',
    tokenScope: 'submit',
    repeatable: true,
    summary: "Test run of the files of the caller's bot in a match, or of a submission; after a test run like it",
    body: runAgainBody,
    response: createdJob,
    carriesStatusCode: true,
    refusals: [400, 404, 429],
    changesShared: false,
    async handle({ body, context, caller }) {
      const userId = caller.kind === 'user' ? caller.id : '';
      const request = await readFilesOf(body, userId, { context, caller });
      const job = await context.simulation.createTestRun(request, { caller, timeoutMs: testRunTimeoutMs });
      return presentTestRun(job, context);
    },
  }),
  route('POST /sim/async_run_user', {
    access: 'admin',
    repeatable: true,
    summary: 'A match of six users with final submissions, or the six matches of a duplicate deal set',
    body: matchBody,
    response: createdJob,
    carriesStatusCode: true,
    refusals: [400],
    async handle({ body, context, caller }) {
      const { ids, unknown } = await context.names.idsOf(body.users_list);
      if (unknown.length > 0) {
        throw new DomainError('FAILED_PRECONDITION', 'no-such-user', `There is no user ${unknown.join(', ')}`);
      }
      const job = await context.simulation.createMatch(
        {
          userIds: ids,
          numRounds: body.num_rounds,
          blinds: {
            bigBlind: body.blind,
            multiplier: String(body.blind_multiplier),
            interval: body.blind_increase_interval,
          },
          stacks: body.stacks ?? '',
          mode: body.mode,
          public: body.public,
        },
        { caller },
      );
      return {
        job_id: job.id,
        job_status: jobStatusName(job),
        message: 'Simulation job created',
        ...(job.rotations.length > 0 ? { job_ids: job.rotations.map((one) => one.jobId) } : {}),
      };
    },
  }),
  route('DELETE /sim/job/{id}', {
    access: 'verified',
    summary: 'Delete a job; one that has not ended is cancelled',
    params: jobParams,
    response: message,
    refusals: [403, 404, 409],
    async handle({ params, context, caller }) {
      const { cancelled } = await context.simulation.deleteJob({ jobId: params.id }, { caller });
      return { message: cancelled ? 'Job cancelled and deleted' : 'Job deleted' };
    },
  }),
];
