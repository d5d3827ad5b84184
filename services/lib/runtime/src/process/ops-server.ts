import { createServer, type Server } from 'node:http';
import { messageOf } from '../rpc/errors.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { untraced } from '../telemetry/trace-context.ts';

/** Throws the reason why the service is not ready. A returned string is shown as a note and does not affect readiness. */
export type ReadinessCheck = () => Promise<unknown>;

/** Serves /healthz (liveness), /readyz (readiness, by `checks`) and /metrics (Prometheus). */
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
    const reply = (status: number, type: string, body: string) => {
      response.writeHead(status, { 'content-type': type });
      response.end(body);
    };
    const json = (status: number, body: object) => reply(status, 'application/json', JSON.stringify(body));
    const path = request.url?.split('?')[0];
    if (path === '/healthz') return json(200, { status: 'ok' });
    const work =
      path === '/readyz'
        ? untraced(readiness).then((result) => json(result.ready ? 200 : 503, result))
        : path === '/metrics'
          ? telemetry.metricsText().then((text) => reply(200, 'text/plain; version=0.0.4', text))
          : Promise.resolve(json(404, { detail: 'Not Found' }));
    work.catch((error: unknown) => json(500, { detail: messageOf(error) }));
  });
}
