import {
  answerChallenge,
  createChallenge,
  getChallengeChoice,
  listChallenges,
  publishChallenge,
  setChallengeChoice,
} from './challenges/rpc/challenges.ts';
import type { Context, SimulationHandlers } from './context.ts';
import { getSettings, updateSettings } from './event/rpc/settings.ts';
import { getUserQuota, setUserQuota } from './event/rpc/user-quota.ts';
import { getLadder, getLadderPart, getLadderPlayer, listLadderSets, setLadderPart } from './ladder/rpc/ladder.ts';
import {
  cancelBatch,
  deleteBatch,
  getBatchMetadata,
  pauseBatch,
  resumeBatch,
  retryBatch,
  setBatchMetadata,
} from './rpc/change-batches.ts';
import { claimMatch } from './rpc/claim-match.ts';
import { changeSigningKey, getSignedHead, listCommitments, signFile } from './rpc/commitments.ts';
import { createBatch, planBatch } from './rpc/create-batch.ts';
import { createMatch } from './rpc/create-match.ts';
import { createTestRun } from './rpc/create-test-run.ts';
import { deleteJob, holdBatch, holdJob, listBatchResults, releaseBatch, releaseJob } from './rpc/holds.ts';
import { handBack, heartbeat, reportLoss } from './rpc/leases.ts';
import { countJobs, lastTestRuns, listBatchJobs, listBotVersions, listJobs } from './rpc/list-jobs.ts';
import { acceptResult, getMatch } from './rpc/match-results.ts';
import { findBatch, getBatch, getPlan, listBatches, listBatchNumbers } from './rpc/read-batches.ts';
import { countMatches, getJob, getSeed } from './rpc/read-jobs.ts';
import { requeueJob } from './rpc/requeue-job.ts';
import {
  claimRepetition,
  cordonRunners,
  countRepetitions,
  getBacklog,
  listRunners,
  reportRepetition,
} from './rpc/runners.ts';
import { getTournamentDocument } from './tournament/rpc/document.ts';
import {
  actOnTournament,
  changeTournament,
  createTournament,
  deleteTournament,
  getTournament,
  listTournaments,
} from './tournament/rpc/tournaments.ts';
import { cancelTrial, createTrial, getTrial, listTrials } from './trials/rpc/trials.ts';

export function createHandlers(context: Context): SimulationHandlers {
  return {
    createTestRun: createTestRun(context),
    createMatch: createMatch(context),
    getJob: getJob(context),
    listJobs: listJobs(context),
    countJobs: countJobs(context),
    deleteJob: deleteJob(context),
    requeueJob: requeueJob(context),
    lastTestRuns: lastTestRuns(context),
    listBotVersions: listBotVersions(context),
    getSeed: getSeed(context),
    listCommitments: listCommitments(context),
    getSignedHead: getSignedHead(context),
    signFile: signFile(context),
    changeSigningKey: changeSigningKey(context),
    getPlan: getPlan(context),
    countMatches: countMatches(context),
    countRepetitions: countRepetitions(context),
    claimMatch: claimMatch(context),
    heartbeat: heartbeat(context),
    handBack: handBack(context),
    reportLoss: reportLoss(context),
    claimRepetition: claimRepetition(context),
    reportRepetition: reportRepetition(context),
    getMatch: getMatch(context),
    acceptResult: acceptResult(context),
    holdJob: holdJob(context),
    releaseJob: releaseJob(context),
    holdBatch: holdBatch(context),
    releaseBatch: releaseBatch(context),
    listBatchResults: listBatchResults(context),
    listRunners: listRunners(context),
    cordonRunners: cordonRunners(context),
    getBacklog: getBacklog(context),
    getSettings: getSettings(context),
    updateSettings: updateSettings(context),
    getUserQuota: getUserQuota(context),
    setUserQuota: setUserQuota(context),
    getLadder: getLadder(context),
    getLadderPlayer: getLadderPlayer(context),
    listLadderSets: listLadderSets(context),
    getLadderPart: getLadderPart(context),
    setLadderPart: setLadderPart(context),
    createChallenge: createChallenge(context),
    listChallenges: listChallenges(context),
    answerChallenge: answerChallenge(context),
    publishChallenge: publishChallenge(context),
    getChallengeChoice: getChallengeChoice(context),
    setChallengeChoice: setChallengeChoice(context),
    createTrial: createTrial(context),
    getTrial: getTrial(context),
    listTrials: listTrials(context),
    cancelTrial: cancelTrial(context),
    listTournaments: listTournaments(context),
    getTournament: getTournament(context),
    getTournamentDocument: getTournamentDocument(context),
    createTournament: createTournament(context),
    changeTournament: changeTournament(context),
    actOnTournament: actOnTournament(context),
    deleteTournament: deleteTournament(context),
    createBatch: createBatch(context),
    planBatch: planBatch(context),
    listBatches: listBatches(context),
    getBatch: getBatch(context),
    listBatchJobs: listBatchJobs(context),
    pauseBatch: pauseBatch(context),
    resumeBatch: resumeBatch(context),
    cancelBatch: cancelBatch(context),
    retryBatch: retryBatch(context),
    deleteBatch: deleteBatch(context),
    getBatchMetadata: getBatchMetadata(context),
    findBatch: findBatch(context),
    listBatchNumbers: listBatchNumbers(context),
    setBatchMetadata: setBatchMetadata(context),
  };
}
