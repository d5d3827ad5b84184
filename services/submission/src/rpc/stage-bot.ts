import type { Context, SubmissionHandlers } from '../context.ts';
import { readBotFiles } from '../domain/bot-files.ts';
import { pinBot } from '../store/pins.ts';
import { presentPin } from './present.ts';

const nothing = new Uint8Array();

/** A test run's bot: the same refusals as an upload, except that packages are resolved later (PreparePackages). */
export function stageBot(context: Context): SubmissionHandlers['stageBot'] {
  return async (request) => {
    const files = readBotFiles(request.files?.playerFile ?? nothing, request.files?.requirementsFile ?? nothing);
    await context.checkBot(files.player);
    return presentPin(await pinBot(context.pool, request.holderId, request.userId, files));
  };
}
