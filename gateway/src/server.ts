import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { withParty } from '@husky/runtime/rpc/party';
import type { Telemetry } from '@husky/runtime/telemetry/telemetry';
import Koa from 'koa';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { type AdmissionSettings, createAdmissions } from './http/admission.ts';
import { compression, revalidation } from './http/compression.ts';
import { dispatcher } from './http/dispatch.ts';
import { errorMiddleware } from './http/errors.ts';
import { headers } from './http/headers.ts';
import { observe } from './http/observe.ts';
import { createRateLimiter, type RateLimitSettings } from './http/rate-limits.ts';
import { createPartyOf } from './http/request-party.ts';
import { webApp } from './http/web-app.ts';
import { apiRoutes } from './routes/all.ts';
import { docsRoutes } from './routes/docs/routes.ts';
import { type PlatformSettings, readAppConfig } from './routes/platform.ts';
import { createPreloadTags, withSettings, withSubject, withTags } from './site/page-files.ts';
import { findPage } from './site/pages.ts';
import { subjectReaderOf } from './site/subject-cache.ts';

export type GatewaySettings = RateLimitSettings &
  AdmissionSettings &
  PlatformSettings &
  Pick<Config, 'PUBLIC_URL' | 'WEB_DIR' | 'corsOrigins' | 'TRUSTED_PROXIES' | 'headersTimeoutMs' | 'requestTimeoutMs'>;

/** Creates the HTTP server of the gateway. The caller makes it listen. */
export function createGateway(settings: GatewaySettings, context: Context, telemetry: Telemetry): Server {
  const routes = apiRoutes(settings, telemetry);
  const allRoutes = [...routes, ...docsRoutes(routes, settings.PUBLIC_URL)];
  const app = new Koa({ proxy: settings.TRUSTED_PROXIES > 0, maxIpsCount: settings.TRUSTED_PROXIES });
  const admissions = createAdmissions(settings);
  app.use(headers(settings.corsOrigins, settings.keycloak?.url));
  app.use(admissions.reads);
  app.use(observe(context.log));
  app.use(compression());
  app.use(revalidation());
  app.use(errorMiddleware(context.log));
  const preloadTags = createPreloadTags(settings.WEB_DIR);
  app.use(
    webApp(settings.WEB_DIR, {
      find: findPage,
      async movedTo(path) {
        const { page, parameter = '' } = findPage(path) ?? {};
        return page?.subject === 'batch' ? (await subjectReaderOf(context)('batch', parameter))?.movedTo : undefined;
      },
      async render(html, path) {
        const page = await withSubject(html, path, settings.PUBLIC_URL, subjectReaderOf(context));
        const tags = preloadTags(findPage(path)?.page.module);
        return withSettings(withTags(page, tags), await readAppConfig(settings, context));
      },
    }),
  );
  app.use(dispatcher(allRoutes, context, createRateLimiter(settings), admissions));
  // A client that disconnects during a response is not an error.
  app.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') {
      context.log.error({ err: error }, 'sending a response failed');
    }
  });
  const partyOf = createPartyOf(context.sessions, settings.TRUSTED_PROXIES, context.partySecret);
  const handle = app.callback();
  const server = createServer(
    {
      // Node requires headersTimeout <= requestTimeout.
      headersTimeout: Math.min(settings.headersTimeoutMs, settings.requestTimeoutMs),
      requestTimeout: settings.requestTimeoutMs,
      keepAliveTimeout: 65_000,
      // Both timeouts are checked at this interval, so a slow request ends at most this much later.
      connectionsCheckingInterval: Math.min(5000, Math.ceil(settings.headersTimeoutMs / 3)),
      maxHeaderSize: 16 * 1024,
    },
    (request, response) => withParty(partyOf(request), () => void handle(request, response)),
  );
  server.maxHeadersCount = 100;
  // Also for clients that do not read their response. An upload may take 120 s; event streams have a heartbeat every 15 s.
  server.timeout = 180_000;
  server.on('clientError', refuseBrokenRequest);
  return server;
}

const refusals: Readonly<Record<string, readonly [status: string, reason: string, detail: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'headers-too-large', 'The headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'request-timeout', 'The request took too long to arrive'],
};

/** Time for the client to read the answer and close the connection. */
const lingerMs = 1000;

/** Responds to malformed HTTP with an error in the usual format and closes the connection, even if the client keeps its side open. */
function refuseBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, reason, detail] = refusals[error.code ?? ''] ?? [
    '400 Bad Request',
    'bad-request',
    'This is not an HTTP request',
  ];
  const body = JSON.stringify({ detail, reason });
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  setTimeout(() => socket.destroy(), lingerMs).unref();
}
