import { isUtf8 } from 'node:buffer';
import type { Submission__Output } from '@husky/contracts/types/submission/v1/Submission';
import { DomainError } from '@husky/runtime/rpc/errors';
import { z } from 'zod';
import { botFilesOf, botForm } from '../../http/multipart.ts';
import { reply, route } from '../../http/route.ts';
import { message } from '../../http/schema.ts';
import { readSignedHead } from '../../signatures.ts';
import { sourceText } from '../source-text.ts';
import { authoringRoutes } from './authoring-routes.ts';
import {
  botFindings,
  marked,
  outcomeOf,
  readLastTestRuns,
  submissionBody,
  submissionFiles,
  submissionList,
  uploadQuery,
  uploadResponse,
  usersWithFinal,
} from './schema.ts';

const idParams = z.object({ id: z.string().min(1).max(64) });
// An upload resolves its packages, which may download wheels.
const uploadTimeoutMs = 120_000;

// A submission service of the version before sends no state.
const stateOf = ({ state }: Submission__Output) => state || 'ready';

export const submissionRoutes = [
  ...authoringRoutes,
  route('POST /submission/upload', {
    access: 'verified',
    tokenScope: 'submit',
    repeatable: true,
    summary: 'Keep a bot: player.py and requirements.txt (at most 5 a user)',
    multipart: botForm(['playerFile', 'python_file'], ['requirementsFile', 'packages_file']),
    query: uploadQuery,
    response: uploadResponse,
    carriesStatusCode: true,
    accepts: true,
    refusals: [400, 409, 413, 415, 503],
    changesShared: false,
    async handle({ files, query, context, caller }) {
      const upload = { ...botFilesOf(files), nonce: query.nonce };
      const [saved, signed_head] = await Promise.all([
        context.submission.upload(upload, { caller, timeoutMs: uploadTimeoutMs }),
        readSignedHead(context),
      ]);
      const { warnings } = saved;
      const nonce = saved.nonce || null;
      const body = { submission_id: saved.id, state: stateOf(saved), warnings, nonce, signed_head };
      if (saved.state !== 'preparing') return { ...body, message: 'Submission uploaded' };
      const message =
        'Submission uploaded. Its packages are still being prepared; you get a notice when they are ready.';
      return reply({ status: 202, body: { ...body, message } });
    },
  }),
  route('POST /submission/check', {
    access: 'verified',
    tokenScope: 'submit',
    summary: 'What an upload of these files would be refused for or warned of. Stores nothing, resolves no packages',
    multipart: botForm(['playerFile', 'python_file'], ['requirementsFile', 'packages_file']),
    response: botFindings,
    refusals: [400, 413, 415, 503],
    changesShared: false,
    async handle({ files, context, caller }) {
      const { problem, warnings } = await context.submission.checkBot(botFilesOf(files), { caller });
      return { problem: problem || null, warnings };
    },
  }),
  route('GET /submission/list', {
    access: 'verified',
    tokenScope: 'read',
    summary: "The caller's own submissions, newest first",
    response: submissionList,
    async handle({ context, caller }) {
      const { submissions } = await context.submission.listSubmissions({}, { caller });
      const hashes = submissions.map((saved) => saved.botHash);
      const runs = await readLastTestRuns(hashes, context, caller);
      return {
        files: submissions.map((saved) => {
          const run = runs.get(saved.botHash) ?? null;
          const state = stateOf(saved);
          return {
            id: saved.id,
            player_file: saved.playerFileId,
            package_file: saved.requirementsFileId,
            final: saved.final,
            nonce: saved.nonce || null,
            created_at: saved.createdAt,
            state,
            step: saved.step || null,
            reason: saved.reason,
            test_run: outcomeOf({ state, createdAt: saved.createdAt }, run, Date.now()),
            last_test_run: run,
          };
        }),
      };
    },
  }),
  route('GET /submission/users/with-final', {
    access: 'admin',
    summary: 'Users who have marked a submission final',
    response: usersWithFinal,
    async handle({ context, caller }) {
      const { userIds } = await context.submission.listUsersWithFinal({}, { caller });
      const nameOf = await context.names.of(userIds);
      return { users_list: userIds.map(nameOf).sort((a, b) => a.localeCompare(b)) };
    },
  }),
  route('GET /submission/files/{id}', {
    access: 'verified',
    tokenScope: 'read',
    summary: "A submission's file ids, or a file's name and content: owner or admin",
    params: idParams,
    response: submissionFiles,
    refusals: [403, 404],
    async handle({ params, context, caller }) {
      const saved = await context.submission
        .getSubmission({ submissionId: params.id }, { caller })
        .catch((error: unknown) => {
          if (error instanceof DomainError && error.code === 'NOT_FOUND') return undefined;
          throw error;
        });
      if (saved) return { player_file: saved.playerFileId, package_file: saved.requirementsFileId };
      const file = await context.submission.getFile({ fileId: params.id }, { caller });
      const { token } = await context.submission.signFileLink({ fileId: params.id }, { caller });
      return {
        file_name: file.fileName,
        file_data: sourceText(file.data),
        link: `/submission/file/${params.id}?link=${encodeURIComponent(token)}`,
      };
    },
  }),
  route('GET /submission/file/{id}', {
    access: 'anyone',
    summary: 'A file as an attachment: by bearer token (owner or admin) or by a signed link (60 s)',
    params: idParams,
    query: z.object({ link: z.string().max(2000).optional() }),
    response: 'file',
    refusals: [401, 403, 404],
    async handle({ params, query, context, caller }) {
      const file = query.link
        ? await context.submission.openFileLink({ token: query.link }, { caller })
        : await context.submission.getFile({ fileId: params.id }, { caller });
      if (file.fileId !== params.id) throw new DomainError('NOT_FOUND', 'no-such-file', 'File not found');
      return reply({
        body: file.data,
        headers: {
          'Content-Type': isUtf8(file.data) ? 'text/plain; charset=utf-8' : 'application/octet-stream',
          'Content-Disposition': `attachment; filename="${file.fileName}"`,
          'X-Content-Type-Options': 'nosniff',
        },
      });
    },
  }),
  ...(['mark_final', 'unmark_final'] as const).map((action) =>
    route(`POST /submission/${action}`, {
      access: 'verified',
      tokenScope: 'submit',
      summary: action === 'mark_final' ? 'Enter this submission in the tournament' : 'Take the final mark away',
      body: submissionBody,
      response: marked,
      carriesStatusCode: true,
      refusals: [400, 404],
      async handle({ body, context, caller }) {
        const request = { submissionId: body.submission_id };
        if (action === 'unmark_final') {
          await context.submission.unmarkFinal(request, { caller });
          return { message: 'Submission is no longer final' };
        }
        const { botHash } = await context.submission.markFinal(request, { caller });
        const faults = (await readLastTestRuns([botHash], context, caller)).get(botHash)?.faults ?? '';
        const warning = faults === '' ? {} : { warning: `In its last test run your bot ${faults}` };
        return { message: 'Submission marked as final', ...warning };
      },
    }),
  ),
  route('DELETE /submission/{id}', {
    access: 'verified',
    summary: "Delete one of the caller's submissions",
    params: idParams,
    response: message,
    refusals: [403, 404],
    async handle({ params, context, caller }) {
      await context.submission.deleteSubmission({ submissionId: params.id }, { caller });
      return { message: 'Submission deleted' };
    },
  }),
];
