import { route } from '../../http/route.ts';
import { botCodeRoutes } from './bot-code.ts';
import { presentBotReport } from './bot-report.ts';
import { botLogResponse, botParams, botReportResponse } from './schema.ts';

/** Calls about one bot in a match, for its owner and admins. */
export const botRoutes = [
  route('GET /live/job/{id}/log/{username}', {
    access: 'verified',
    tokenScope: 'read',
    summary: "A bot's own log in a match: its owner and admins only",
    params: botParams,
    response: botLogResponse,
    refusals: [403, 404],
    async handle({ params, context, caller }) {
      const userId = await context.names.idOf(params.username);
      const log = await context.liveData.getSeatLog({ jobId: params.id, userId }, { caller });
      return {
        job_id: params.id,
        username: params.username,
        log: log.log,
        verdict: log.verdict,
        cpu_ms: log.cpuMs,
        peak_memory_kib: log.peakKib,
        faults: log.faults,
        notes: log.notes,
      };
    },
  }),
  route('GET /live/job/{id}/bots/{username}', {
    access: 'verified',
    tokenScope: 'read',
    summary: 'What a bot did in a match: faults, times, memory, output. Its owner and admins only',
    params: botParams,
    response: botReportResponse,
    refusals: [403, 404],
    async handle({ params, context, caller }) {
      const userId = await context.names.idOf(params.username);
      const request = { jobId: params.id.toLowerCase() };
      const report = await context.liveData.getBotReport({ ...request, userId }, { caller });
      return presentBotReport(params.username, report, await context.simulation.getJob(request, { caller }));
    },
  }),
  ...botCodeRoutes,
];
