import { housePlayers, houseUserId } from '@husky/contracts/house-user';
import type { BotPin } from '@husky/contracts/types/submission/v1/BotPin';
import type { ListFinalsResponse } from '@husky/contracts/types/submission/v1/ListFinalsResponse';
import type { PinFinalsResponse } from '@husky/contracts/types/submission/v1/PinFinalsResponse';
import type { ReleasePinsResponse } from '@husky/contracts/types/submission/v1/ReleasePinsResponse';
import type { UploadPin } from '@husky/contracts/types/submission/v1/UploadPin';
import { isUuid } from '@husky/runtime/process/uuid';
import { DomainError } from '@husky/runtime/rpc/errors';
import type { Context, SubmissionHandlers } from '../context.ts';
import { readBotFiles, submissionNotFound } from '../domain/bot-files.ts';
import {
  pinBot,
  releasePins as removePins,
  pinFinals as storePins,
  pinUpload as storeUploadPin,
} from '../store/pins.ts';
import { findFinals } from '../store/submissions.ts';

const noBytes = new Uint8Array();

/** Checks and pins the bot of a test run. Refuses what an upload refuses, except that PreparePackages resolves the packages. */
export function stageBot(context: Context): SubmissionHandlers['stageBot'] {
  return async ({ holderId, userId, files: uploaded }): Promise<BotPin> => {
    const files = readBotFiles(uploaded?.playerFile ?? noBytes, uploaded?.requirementsFile ?? noBytes);
    const checked = await context.botCheck.check(files);
    const pin = await pinBot(context.pool, { holderId, userId, version: true }, checked);
    return { ...pin, warnings: [...checked.warnings] };
  };
}

/** Pins all or none: if a user has no final submission, nothing is pinned. */
export function pinFinals(context: Context): SubmissionHandlers['pinFinals'] {
  return async (request): Promise<PinFinalsResponse> => {
    const { pins, missing } = await storePins(context.pool, request.holderId, request.userIds, timeOf(request));
    return { pins, missingUserIds: missing };
  };
}

export function pinUpload(context: Context): SubmissionHandlers['pinUpload'] {
  return async ({ holderId, submissionId, userId }): Promise<UploadPin> => {
    const found = isUuid(submissionId) ? await storeUploadPin(context.pool, holderId, submissionId, userId) : undefined;
    if (!found) throw submissionNotFound();
    return { ...found, uploadedAt: found.uploadedAt.toISOString() };
  };
}

export function pinHouse(context: Context): SubmissionHandlers['pinHouse'] {
  return async ({ holderId, userId }): Promise<BotPin> => {
    const style = housePlayers.get(userId);
    if (style === undefined && userId !== '')
      throw new DomainError('NOT_FOUND', 'no-such-house-bot', 'No such house bot');
    const bot = style === undefined ? context.houseBot : await context.houseBotOf(style);
    return pinBot(context.pool, { holderId, userId: userId || houseUserId, version: false }, bot);
  };
}

export function listFinals(context: Context): SubmissionHandlers['listFinals'] {
  return async (request): Promise<ListFinalsResponse> => {
    const [finals, house] = await Promise.all([
      findFinals(context.pool, timeOf(request)),
      Promise.all(
        [...housePlayers].map(async ([userId, style]) => {
          return { userId, botHash: (await context.houseBotOf(style)).botHash };
        }),
      ),
    ]);
    return { finals, house };
  };
}

/** Returns the time that a request asks about; null: now. */
function timeOf({ at }: { readonly at: string }): Date | null {
  const time = at === '' ? null : new Date(at);
  if (time === null || !Number.isNaN(time.getTime())) return time;
  throw new DomainError('INVALID_ARGUMENT', 'time-invalid', 'This is not a time.');
}

export function releasePins(context: Context): SubmissionHandlers['releasePins'] {
  return async (request): Promise<ReleasePinsResponse> => {
    await removePins(context.pool, request.holderId);
    return {};
  };
}
