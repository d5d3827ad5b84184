import { audiences, readAuthoring } from '@husky/contracts/authoring';
import { BadArchive } from '@husky/contracts/package-archive';
import type { Authoring } from '@husky/contracts/types/submission/v1/Authoring';
import type { AuthoringCode } from '@husky/contracts/types/submission/v1/AuthoringCode';
import type { DeleteAuthoringResponse } from '@husky/contracts/types/submission/v1/DeleteAuthoringResponse';
import type { ListAuthoringsResponse } from '@husky/contracts/types/submission/v1/ListAuthoringsResponse';
import { idOnce } from '@husky/runtime/database/created-once';
import { isUuid } from '@husky/runtime/process/uuid';
import { DomainError } from '@husky/runtime/rpc/errors';
import type { Context, SubmissionHandlers } from '../context.ts';
import { readBotFiles } from '../domain/bot-files.ts';
import {
  addAuthoring,
  findAuthorings,
  readArchive,
  type StoredAuthoring,
  deleteAuthoring as storeDeletion,
  showAuthoring as storeShown,
} from '../store/authorings.ts';
import { authorizedSubmission } from './submissions.ts';

/** Stores the archive of a submission after a check. The code of its best round must be the submission's. */
export function uploadAuthoring(context: Context): SubmissionHandlers['uploadAuthoring'] {
  return async (request, call): Promise<Authoring> => {
    const submission = await authorizedSubmission(context, call, request.submissionId);
    const { record, rounds } = await readAuthoring(request.archive).catch((error: unknown) => {
      if (!(error instanceof BadArchive)) throw error;
      throw refusal(`${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}.`);
    });
    const best = rounds.find(({ round }) => round === record.best_round);
    if (!best || readBotFiles(best.playerFile, best.requirementsFile).botHash !== submission.botHash) {
      throw refusal('The code of the best round is not that of the submission.');
    }
    const store = () => addAuthoring(context.pool, submission.id, request.archive, record, call.caller);
    const id = await idOnce(store);
    context.relay.kick();
    return present(await requireAuthoring(context, id));
  };
}

export function showAuthoring(context: Context): SubmissionHandlers['showAuthoring'] {
  return async (request, call): Promise<Authoring> => {
    const { id } = await authorizedSubmission(context, call, request.submissionId);
    const shown = audiences.find((one) => one === request.shown);
    if (shown === undefined) throw refusal('Choose what is shown: private, rounds or code.');
    if (!(await storeShown(context.pool, id, shown, call.caller))) throw notFound();
    context.relay.kick();
    return present(await requireAuthoring(context, id));
  };
}

export function deleteAuthoring(context: Context): SubmissionHandlers['deleteAuthoring'] {
  return async (request, call): Promise<DeleteAuthoringResponse> => {
    const { id } = await authorizedSubmission(context, call, request.submissionId);
    await storeDeletion(context.pool, id, call.caller);
    context.relay.kick();
    return {};
  };
}

export function listAuthorings(context: Context): SubmissionHandlers['listAuthorings'] {
  return async ({ userId }, call): Promise<ListAuthoringsResponse> => {
    const shown = !call.check(userId);
    const found = isUuid(userId) ? await findAuthorings(context.pool, { userId, shown }) : [];
    return { authorings: found.map(present) };
  };
}

export function getAuthoringCode(context: Context): SubmissionHandlers['getAuthoringCode'] {
  return async ({ submissionId }, call): Promise<AuthoringCode> => {
    const { userId, shown } = await requireAuthoring(context, submissionId);
    call.check(userId, shown);
    const archive = await readArchive(context.pool, submissionId);
    if (archive === undefined) throw notFound();
    return { rounds: [...(await readAuthoring(archive)).rounds] };
  };
}

async function requireAuthoring(context: Context, submissionId: string): Promise<StoredAuthoring> {
  const [found] = isUuid(submissionId) ? await findAuthorings(context.pool, { submissionId }) : [];
  if (!found) throw notFound();
  return found;
}

function present({ userId: _, createdAt, ...fields }: StoredAuthoring): Authoring {
  return { ...fields, createdAt: createdAt.toISOString() };
}

const refusal = (message: string) => new DomainError('INVALID_ARGUMENT', 'authoring-invalid', message);
const notFound = () =>
  new DomainError('NOT_FOUND', 'no-authoring', 'It is not stored how this submission was written.');
