import { createServer, type Server } from 'node:http';
import { messageOf } from './errors.ts';
import type { Telemetry } from './telemetry.ts';

export type ReadinessCheck = () => Promise<void>;

/** /healthz (the process answers), /readyz (its parts do) and /metrics, for probes and scrapers. */
export function createOpsServer(
  telemetry: Telemetry,
  checks: Map<string, ReadinessCheck>,
  stopping: () => boolean,
): Server {
  async function readiness(): Promise<{ ready: boolean; problems: string[] }> {
    const problems: string[] = stopping() ? ['stopping'] : [];
    for (const [name, check] of checks) {
      await check().catch((error: unknown) => problems.push(`${name}: ${messageOf(error)}`));
    }
    return { ready: problems.length === 0, problems };
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
