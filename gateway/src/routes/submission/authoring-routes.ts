import { audiences, authoringFile, authoringRecord } from '@husky/contracts/authoring';
import type { Authoring__Output } from '@husky/contracts/types/submission/v1/Authoring';
import { z } from 'zod';
import { route } from '../../http/route.ts';
import { message, time } from '../../http/schema.ts';
import { sourceText } from '../source-text.ts';

const id = z.string().min(1).max(64);
const shown = z.enum(audiences).describe('what everybody sees; its author and admins see all');

export const authoring = z
  .object({ submission_id: z.string(), bot_hash: z.string(), created_at: time, shown, record: authoringRecord })
  .meta({ id: 'Authoring' });

const code = z.object({
  rounds: z
    .array(z.object({ round: z.number().int(), player: z.string(), requirements: z.string() }))
    .describe('rounds without code are left out'),
});

/** Presents how a submission was written. */
export const presentAuthoring = (one: Authoring__Output): z.input<typeof authoring> => ({
  submission_id: one.submissionId,
  bot_hash: one.botHash,
  created_at: one.createdAt,
  shown: shown.parse(one.shown),
  record: JSON.parse(one.recordJson),
});

export const authoringRoutes = [
  route('POST /submission/authoring', {
    access: 'verified',
    tokenScope: 'submit',
    repeatable: true,
    summary: 'Keep how a language model wrote a submission: the archive of husky author, at most one for each',
    query: z.object({ submission_id: id }),
    multipart: { files: { [authoringFile]: ['archive'] }, missing: `The archive ${authoringFile} must be provided` },
    response: authoring,
    refusals: [400, 404, 409, 413, 415, 503],
    changesShared: false,
    async handle({ files, query, context, caller }) {
      const archive = files.get(authoringFile)?.data ?? Buffer.alloc(0);
      const request = { submissionId: query.submission_id, archive };
      return presentAuthoring(await context.submission.uploadAuthoring(request, { caller }));
    },
  }),
  route('POST /submission/authoring/show', {
    access: 'verified',
    tokenScope: 'submit',
    harmless: true,
    summary: "Show everybody how one of the caller's submissions was written, or hide it",
    body: z.strictObject({ submission_id: id, shown }),
    response: authoring,
    refusals: [404],
    async handle({ body, context, caller }) {
      const request = { submissionId: body.submission_id, shown: body.shown };
      return presentAuthoring(await context.submission.showAuthoring(request, { caller }));
    },
  }),
  route('DELETE /submission/{id}/authoring', {
    access: 'verified',
    summary: 'Delete how a submission was written: its author or an admin',
    params: z.object({ id }),
    response: message,
    refusals: [404],
    async handle({ params, context, caller }) {
      await context.submission.deleteAuthoring({ submissionId: params.id }, { caller });
      return { message: 'Deleted' };
    },
  }),
  route('GET /submission/{id}/authoring/code', {
    access: 'anyone',
    summary: 'The code of the rounds in which a submission was written, if its author shows it',
    params: z.object({ id }),
    response: code,
    refusals: [401, 403, 404],
    async handle({ params, context, caller }) {
      const { rounds } = await context.submission.getAuthoringCode({ submissionId: params.id }, { caller });
      return {
        rounds: rounds.map(({ round, playerFile, requirementsFile }) => ({
          round,
          player: sourceText(playerFile),
          requirements: sourceText(requirementsFile),
        })),
      };
    },
  }),
  route('GET /players/{username}/authorings', {
    access: 'anyone',
    summary: "How a player's submissions were written by language models: what is shown, the newest first",
    params: z.object({ username: z.string().min(1).max(200) }),
    response: z.object({ authorings: z.array(authoring) }),
    refusals: [404],
    shared: { among: 'visitors' },
    async handle({ params, context, caller }) {
      const userId = await context.names.idOf(params.username);
      const { authorings } = await context.submission.listAuthorings({ userId }, { caller });
      return { authorings: authorings.map(presentAuthoring) };
    },
  }),
];
