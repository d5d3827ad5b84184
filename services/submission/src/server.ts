import type { SubmissionServiceDefinition } from '@husky/contracts/types/submission/v1/SubmissionService';
import type { Handlers } from '@husky/runtime/grpc-server';
import type { access } from './access.ts';
import type { Context } from './context.ts';
import { countSubmissions } from './rpc/count-submissions.ts';
import { deleteSubmission } from './rpc/delete-submission.ts';
import { fetchBot } from './rpc/fetch-bot.ts';
import { fetchPackages } from './rpc/fetch-packages.ts';
import { getFile } from './rpc/get-file.ts';
import { getFinalSubmission } from './rpc/get-final-submission.ts';
import { getSubmission } from './rpc/get-submission.ts';
import { listSubmissions } from './rpc/list-submissions.ts';
import { listUsersWithFinal } from './rpc/list-users-with-final.ts';
import { markFinal, unmarkFinal } from './rpc/mark-final.ts';
import { openFileLink } from './rpc/open-file-link.ts';
import { pinFinals } from './rpc/pin-finals.ts';
import { pinHouse } from './rpc/pin-house.ts';
import { preparePackages } from './rpc/prepare-packages.ts';
import { releasePins } from './rpc/release-pins.ts';
import { signFileLink } from './rpc/sign-file-link.ts';
import { stageBot } from './rpc/stage-bot.ts';
import { summariseSubmissions } from './rpc/summarise-submissions.ts';
import { upload } from './rpc/upload.ts';

export function createHandlers(context: Context): Handlers<SubmissionServiceDefinition, typeof access> {
  return {
    upload: upload(context),
    listSubmissions: listSubmissions(context),
    getSubmission: getSubmission(context),
    getFile: getFile(context),
    signFileLink: signFileLink(context),
    openFileLink: openFileLink(context),
    markFinal: markFinal(context),
    unmarkFinal: unmarkFinal(context),
    deleteSubmission: deleteSubmission(context),
    listUsersWithFinal: listUsersWithFinal(context),
    getFinalSubmission: getFinalSubmission(context),
    summariseSubmissions: summariseSubmissions(context),
    countSubmissions: countSubmissions(context),
    stageBot: stageBot(context),
    pinFinals: pinFinals(context),
    pinHouse: pinHouse(context),
    preparePackages: preparePackages(context),
    releasePins: releasePins(context),
    fetchBot: fetchBot(context),
    fetchPackages: fetchPackages(context),
  };
}
