import type { Context, SubmissionHandlers } from './context.ts';
import { deleteAuthoring, getAuthoringCode, listAuthorings, showAuthoring, uploadAuthoring } from './rpc/authorings.ts';
import { fetchBot, fetchPackages, getBotVersion, preparePackages } from './rpc/bots.ts';
import { getFile, openFileLink, signFileLink } from './rpc/files.ts';
import { listFinals, pinFinals, pinHouse, pinUpload, releasePins, stageBot } from './rpc/pins.ts';
import {
  checkBot,
  countSubmissions,
  deleteSubmission,
  getFinalSubmission,
  getSubmission,
  listSubmissions,
  listUsersWithFinal,
  markFinal,
  summariseSubmissions,
  unmarkFinal,
  upload,
} from './rpc/submissions.ts';

export function createHandlers(context: Context): SubmissionHandlers {
  return {
    upload: upload(context),
    checkBot: checkBot(context),
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
    getBotVersion: getBotVersion(context),
    countSubmissions: countSubmissions(context),
    stageBot: stageBot(context),
    pinFinals: pinFinals(context),
    pinHouse: pinHouse(context),
    uploadAuthoring: uploadAuthoring(context),
    showAuthoring: showAuthoring(context),
    deleteAuthoring: deleteAuthoring(context),
    listAuthorings: listAuthorings(context),
    getAuthoringCode: getAuthoringCode(context),
    listFinals: listFinals(context),
    pinUpload: pinUpload(context),
    preparePackages: preparePackages(context),
    releasePins: releasePins(context),
    fetchBot: fetchBot(context),
    fetchPackages: fetchPackages(context),
  };
}
