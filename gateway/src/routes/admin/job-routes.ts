import type { Job__Output } from '@husky/contracts/types/simulation/v1/Job';
import type { JobKind } from '@husky/contracts/types/simulation/v1/JobKind';
import type { Caller } from '@husky/runtime/rpc/caller';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { reply, route } from '../../http/route.ts';
import { listQuery, pathName } from '../../http/schema.ts';
import { mayCountIn2025 } from '../../standing-2025.ts';
import { presentEntry } from '../leaderboard/routes.ts';
import { presentFaults } from '../sim/faults.ts';
import { jobStatusName, kindOf, presentResults } from '../sim/present.ts';
import {
  adminJob,
  adminJobsQuery,
  applied2025,
  job2025Status,
  jobCount,
  jobPublicBody,
  requeued,
  scalingJob,
  submissionCount,
  toggledPublic,
  unapplied2025,
} from './schema.ts';

async function presentJobs(jobs: readonly Job__Output[], context: Context, caller: Caller) {
  const [nameOf, added] = await Promise.all([
    context.names.of(jobs.flatMap((job) => [job.ownerId, ...job.playerIds])),
    context.appliedJobs.findApplied(
      jobs.map((job) => job.id),
      caller,
    ),
  ]);
  return jobs.map((job) => ({
    id: job.id,
    job_id: job.id,
    status: jobStatusName(job),
    job_status: jobStatusName(job),
    error_message: job.errorMessage || null,
    result_data: presentResults(job, nameOf) ?? null,
    ...presentFaults(job, nameOf),
    username: nameOf(job.ownerId),
    created_at: job.createdAt,
    completed_at: job.endedAt || null,
    tournaments_2025_added: added.has(job.id),
    tournaments_2025_allowed: mayCountIn2025(job),
    kind: kindOf(job),
    batch_number: job.batchNumber || null,
    game_number: job.gameNumber,
    players: job.playerIds.map(nameOf),
    queue_position: job.queuePosition || null,
    hands_done: job.handsDone,
    num_rounds: job.numRounds,
    waiting_reason: job.waitingReason || null,
    stuck_reason: job.stuckReason || null,
  }));
}

function jobListRoute(path: `/${string}`, summary: string, kinds: JobKind[]) {
  return route(`GET ${path}`, {
    access: 'admin',
    summary,
    query: adminJobsQuery,
    response: z.array(adminJob),
    refusals: [400],
    async handle({ query, context, caller }) {
      const { jobs, total } = await context.simulation.listJobs(
        {
          ownerId: '',
          kinds,
          status: query.status,
          q: query.q,
          page: query.page,
          pageSize: query.page_size,
          runningFirst: query.order === 'running',
        },
        { caller },
      );
      return reply({ body: await presentJobs(jobs, context, caller), headers: { 'X-Total-Count': String(total) } });
    },
  });
}

export const adminJobRoutes = [
  route('GET /admin/job-count', {
    access: 'admin',
    summary: 'How many jobs there are',
    response: jobCount,
    async handle({ context, caller }) {
      return { job_count: (await context.simulation.countJobs({}, { caller })).jobCount };
    },
  }),
  route('GET /admin/submission-count', {
    access: 'admin',
    summary: 'How many submissions there are',
    response: submissionCount,
    async handle({ context, caller }) {
      return { submission_count: (await context.submission.countSubmissions({}, { caller })).submissionCount };
    },
  }),
  jobListRoute('/admin/jobs', 'All jobs, newest first (X-Total-Count: total)', []),
  jobListRoute('/admin/sim-admin-jobs', 'Jobs started from the simulation page', ['MATCH']),
  route('POST /admin/requeue-job/{job_id}', {
    access: 'admin',
    summary: 'Queue a match again that is stuck, or whose runners were lost too often; a waiting one stays as it is',
    params: pathName('job_id'),
    response: requeued,
    refusals: [400, 404],
    async handle({ params, context, caller }) {
      const job = await context.simulation.requeueJob({ jobId: params.job_id }, { caller });
      return { job_id: job.id, job_status: jobStatusName(job) };
    },
  }),
  route('GET /admin/scaling-jobs', {
    access: 'admin',
    summary: "Changes of the pool's size",
    query: listQuery,
    response: z.array(scalingJob),
    refusals: [400],
    async handle({ query, context, caller }) {
      const { jobs, total } = await context.pool.listScalingJobs(
        { page: query.page, pageSize: query.page_size, status: query.status, q: query.q },
        { caller },
      );
      const nameOf = await context.names.of(jobs.map((job) => job.userId));
      const body = jobs.map((job) => ({
        id: job.id,
        job_id: job.id,
        status: job.status,
        job_status: job.status,
        error_message: job.errorMessage || null,
        result_data: null,
        no_contest: false,
        username: job.userId ? nameOf(job.userId) : 'autoscaling',
        created_at: job.createdAt,
        completed_at: job.completedAt || null,
        tournaments_2025_added: false,
        tournaments_2025_allowed: false,
        kind: 'scaling',
        batch_number: null,
        game_number: null,
        waiting_reason: job.waitingReason || null,
        from_size: job.fromSize,
        target_size: job.targetSize,
        current_size: job.currentSize,
      }));
      return reply({ body, headers: { 'X-Total-Count': String(total) } });
    },
  }),
  route('POST /admin/toggle-job-public/{job_id}', {
    access: 'admin',
    summary: 'Make a match public or private; without a body: toggle it',
    params: pathName('job_id'),
    body: jobPublicBody,
    response: toggledPublic,
    refusals: [404, 409],
    async handle({ params, body, context, caller }) {
      const change = body.is_public === undefined ? {} : { public: body.is_public };
      const access = await context.liveData.toggleVisibility({ jobId: params.job_id, ...change }, { caller });
      return { job_id: access.jobId, is_public: access.isPublic, affected_logs: access.hands };
    },
  }),
  route('GET /admin/2025-job-status/{job_id}', {
    access: 'admin',
    summary: 'Whether a job counts in the 2025 leaderboard',
    params: pathName('job_id'),
    response: job2025Status,
    refusals: [404],
    async handle({ params, context, caller }) {
      const job = await context.simulation.getJob({ jobId: params.job_id }, { caller });
      const { jobIds } = await context.leaderboard.listAppliedJobs({ jobIds: [job.id] }, { caller });
      return { tournaments_2025_added: jobIds.includes(job.id) };
    },
  }),
  route('POST /admin/process-tournament-2025-job/{job_id}', {
    access: 'admin',
    summary: "Add each player's delta to their 2025 entry",
    params: pathName('job_id'),
    response: applied2025,
    refusals: [400, 404],
    async handle({ params, context, caller }) {
      const { updated, created } = await context.leaderboard.applyJob({ jobId: params.job_id }, { caller });
      const nameOf = await context.names.of([...updated, ...created].map((entry) => entry.userId));
      return {
        updated: updated.map((entry) => presentEntry(entry, nameOf)),
        created: created.map((entry) => presentEntry(entry, nameOf)),
      };
    },
  }),
  route('POST /admin/delete-tournament-2025-job/{job_id}', {
    access: 'admin',
    summary: 'The inverse: subtract the deltas again',
    params: pathName('job_id'),
    response: unapplied2025,
    refusals: [400, 404],
    async handle({ params, context, caller }) {
      const result = await context.leaderboard.unapplyJob({ jobId: params.job_id }, { caller });
      const nameOf = await context.names.of([...result.updated.map((entry) => entry.userId), ...result.skippedUserIds]);
      return {
        updated: result.updated.map((entry) => presentEntry(entry, nameOf)),
        skipped: result.skippedUserIds.map(nameOf),
      };
    },
  }),
];
