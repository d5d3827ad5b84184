import type { Context, LiveDataHandlers } from './context.ts';
import { downloadExport, getExport, listExports, planExport, startExport } from './exports/rpc/exports.ts';
import { deliverSeatReport, openAttempt } from './rpc/attempts.ts';
import { getBotReport, getSeatLog } from './rpc/bot-report.ts';
import { completeMatch } from './rpc/complete-match.ts';
import { compareChunk, deliverChunk } from './rpc/deliver-chunk.ts';
import { exportMatch } from './rpc/export-match.ts';
import { getHandColumns, searchHands } from './rpc/hand-index.ts';
import { getHand, getPerformance, listHands } from './rpc/hands.ts';
import { getHandOfTheDay, listHighlights, listPlayerHands } from './rpc/highlights.ts';
import { listMatches, purgeMatch } from './rpc/matches.ts';
import { getPlayStatistics, getResults } from './rpc/results.ts';
import { getSnapshot } from './rpc/snapshot.ts';
import { streamMatch } from './rpc/stream.ts';
import {
  getMatchAccess,
  getRetention,
  listPublicBatches,
  setBatchVisibility,
  toggleVisibility,
} from './rpc/visibility.ts';
import { getMatchLuck, getStandings } from './standings/rpc/get-standings.ts';

/** Returns the handlers of all RPCs. */
export function createHandlers(context: Context): LiveDataHandlers {
  return {
    listMatches: listMatches(context),
    listHands: listHands(context),
    getHand: getHand(context),
    getPerformance: getPerformance(context),
    getMatchLuck: getMatchLuck(context),
    searchHands: searchHands(context),
    getHandColumns: getHandColumns(context),
    listHighlights: listHighlights(context),
    getHandOfTheDay: getHandOfTheDay(context),
    listPlayerHands: listPlayerHands(context),
    getMatchAccess: getMatchAccess(context),
    toggleVisibility: toggleVisibility(context),
    setBatchVisibility: setBatchVisibility(context),
    listPublicBatches: listPublicBatches(context),
    getSeatLog: getSeatLog(context),
    getBotReport: getBotReport(context),
    getResults: getResults(context),
    getPlayStatistics: getPlayStatistics(context),
    getStandings: getStandings(context),
    streamMatch: streamMatch(context),
    exportMatch: exportMatch(context),
    getSnapshot: getSnapshot(context),
    planExport: planExport(context),
    startExport: startExport(context),
    listExports: listExports(context),
    getExport: getExport(context),
    downloadExport: downloadExport(context),
    openAttempt: openAttempt(context),
    deliverChunk: deliverChunk(context),
    deliverSeatReport: deliverSeatReport(context),
    compareChunk: compareChunk(context),
    completeMatch: completeMatch(context),
    purgeMatch: purgeMatch(context),
    getRetention: getRetention(context),
  };
}
