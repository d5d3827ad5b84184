import type { LiveDataServiceDefinition } from '@husky/contracts/types/live/v1/LiveDataService';
import type { Handlers } from '@husky/runtime/grpc-server';
import type { access } from './access.ts';
import type { Context } from './context.ts';
import { downloadExport, getExport, listExports, planExport, startExport } from './exports/rpc/exports.ts';
import { deliverSeatReport, openAttempt } from './rpc/attempts.ts';
import { getBotReport, getSeatLog } from './rpc/bot-report.ts';
import { completeMatch } from './rpc/complete-match.ts';
import { deliverChunk } from './rpc/deliver-chunk.ts';
import { exportMatch } from './rpc/export-match.ts';
import { getHandColumns, searchHands } from './rpc/hand-index.ts';
import { getHand, getPerformance, listHands } from './rpc/hands.ts';
import { getHandOfTheDay, listHighlights, listPlayerHands } from './rpc/highlights.ts';
import { listMatches, purgeMatch } from './rpc/matches.ts';
import { getPlayStatistics } from './rpc/play-statistics.ts';
import { getResults } from './rpc/results.ts';
import { getRetention } from './rpc/retention.ts';
import { streamMatch } from './rpc/stream.ts';
import { getMatchAccess, listPublicBatches, setBatchVisibility, toggleVisibility } from './rpc/visibility.ts';
import { getMatchLuck } from './standings/rpc/get-match-luck.ts';
import { getStandings } from './standings/rpc/get-standings.ts';

export function createHandlers(context: Context): Handlers<LiveDataServiceDefinition, typeof access> {
  return {
    listMatches: (request, call) => listMatches(context, request, call),
    listHands: (request, call) => listHands(context, request, call),
    getHand: (request, call) => getHand(context, request, call),
    getPerformance: (request, call) => getPerformance(context, request, call),
    getMatchLuck: (request, call) => getMatchLuck(context, request, call),
    searchHands: (request, call) => searchHands(context, request, call),
    getHandColumns: (request, call) => getHandColumns(context, request, call),
    listHighlights: (request, call) => listHighlights(context, request, call),
    getHandOfTheDay: () => getHandOfTheDay(context),
    listPlayerHands: (request, call) => listPlayerHands(context, request, call),
    getMatchAccess: (request, call) => getMatchAccess(context, request, call),
    toggleVisibility: (request, call) => toggleVisibility(context, request, call),
    setBatchVisibility: (request, call) => setBatchVisibility(context, request, call),
    listPublicBatches: (request) => listPublicBatches(context, request),
    getSeatLog: (request) => getSeatLog(context, request),
    getBotReport: (request) => getBotReport(context, request),
    getResults: (request, call) => getResults(context, request, call),
    getPlayStatistics: (request) => getPlayStatistics(context, request),
    getStandings: (request, call) => getStandings(context, request, call),
    streamMatch: (request, call) => streamMatch(context, request, call),
    exportMatch: (request, call) => exportMatch(context, request, call),
    planExport: (request, call) => planExport(context, request, call),
    startExport: (request, call) => startExport(context, request, call),
    listExports: (request, call) => listExports(context, request, call),
    getExport: (request, call) => getExport(context, request, call),
    downloadExport: (request, call) => downloadExport(context, request, call),
    openAttempt: (request, call) => openAttempt(context, request, call),
    deliverChunk: (request, call) => deliverChunk(context, request, call),
    deliverSeatReport: (request, call) => deliverSeatReport(context, request, call),
    completeMatch: (request, call) => completeMatch(context, request, call),
    purgeMatch: (request) => purgeMatch(context, request),
    getRetention: () => getRetention(context),
  };
}
