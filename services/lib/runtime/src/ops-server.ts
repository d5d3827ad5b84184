import { createServer, type Server } from 'node:http';
import { messageOf } from './errors.ts';
import type { Telemetry } from './telemetry.ts';

/** Throws what keeps the service from being ready; a sentence that it answers is told without taking it out of service. */
export type ReadinessCheck = () => Promise<unknown>;

/** /healthz (the process answers), /readyz (its parts do) and /metrics, for probes and scrapers. */
export function createOpsServer(
  telemetry: Telemetry,
  checks: Map<string, ReadinessCheck>,
  stopping: () => boolean,
): Server {
  async function readiness(): Promise<{ ready: boolean; problems: string[]; notes: string[] }> {
    const problems: string[] = stopping() ? ['stopping'] : [];
    const notes: string[] = [];
    for (const [name, check] of checks) {
      try {
        const note = await check();
        if (typeof note === 'string') notes.push(`${name}: ${note}`);
      } catch (error) {
        problems.push(`${name}: ${messageOf(error)}`);
      }
    }
    return { ready: problems.length === 0, problems, notes };
  }

  return createServer((request, response) => {
    const answer = (status: number, type: string, body: string) => {
      response.writeHead(status, { 'content-type': type });
      response.end(body);
    };
    const json = (status: number, body: object) => answer(status, 'application/json', JSON.stringify(body));
    const path = request.url?.split('?')[0];
    if (path === '/healthz') return json(200, { status: 'ok' });
    const work =
      path === '/readyz'
        ? readiness().then((result) => json(result.ready ? 200 : 503, result))
        : path === '/metrics'
          ? telemetry.metricsText().then((text) => answer(200, 'text/plain; version=0.0.4', text))
          : Promise.resolve(json(404, { detail: 'Not Found' }));
    work.catch((error: unknown) => json(500, { detail: messageOf(error) }));
  });
}
