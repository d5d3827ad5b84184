import { randomUUID } from 'node:crypto';
import { checkedRequestId, withRequestId } from '@husky/runtime/telemetry/request-id';
import type Koa from 'koa';

/** The page that the site loads in a hidden frame to receive Keycloak's sign-in status. */
const framedPath = '/silent-check-sso.html';
/** The one page that other sites may frame. It has no session and no control that changes anything. */
const embeddedPath = /^\/embed\/replay\/[^/]+$/;

function policy(keycloakOrigin: string | undefined, ancestors: "'none'" | "'self'" | '*'): string {
  const allowed = keycloakOrigin === undefined ? "'self'" : `'self' ${keycloakOrigin}`;
  return [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "worker-src 'self' blob:",
    `connect-src ${allowed}`,
    `frame-src ${allowed}`,
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    `frame-ancestors ${ancestors}`,
  ].join('; ');
}

/** Sets security headers and the request id, and handles CORS for the configured origins. Allows the site to call Keycloak. */
export function headers(corsOrigins: readonly string[], keycloakUrl?: string): Koa.Middleware {
  const keycloakOrigin = keycloakUrl === undefined ? undefined : new URL(keycloakUrl).origin;
  const defaultFraming = { 'Content-Security-Policy': policy(keycloakOrigin, "'none'"), 'X-Frame-Options': 'DENY' };
  const ownFraming = { 'Content-Security-Policy': policy(keycloakOrigin, "'self'"), 'X-Frame-Options': 'SAMEORIGIN' };
  // X-Frame-Options has no value that permits all sites.
  const anyFraming = { 'Content-Security-Policy': policy(keycloakOrigin, '*') };
  const framing = (path: string) => {
    if (embeddedPath.test(path)) return anyFraming;
    return keycloakOrigin !== undefined && path === framedPath ? ownFraming : defaultFraming;
  };
  return async (ctx, next) => {
    const requestId = checkedRequestId(ctx.get('x-request-id')) || randomUUID();
    ctx.state.requestId = requestId;
    ctx.set({
      ...framing(ctx.path),
      'X-Request-Id': requestId,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'strict-origin-when-cross-origin',
      'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
      'Cross-Origin-Opener-Policy': 'same-origin',
    });
    const origin = ctx.get('origin');
    if (origin !== '' && corsOrigins.includes(origin)) {
      ctx.vary('Origin');
      ctx.set({
        'Access-Control-Allow-Origin': origin,
        'Access-Control-Expose-Headers': 'X-Total-Count, X-Request-Id, Retry-After, RateLimit, RateLimit-Policy',
      });
      if (ctx.method === 'OPTIONS' && ctx.get('access-control-request-method') !== '') {
        ctx.set({
          'Access-Control-Allow-Methods': 'GET, POST, DELETE',
          'Access-Control-Allow-Headers': 'Authorization, Content-Type, Idempotency-Key, Last-Event-ID, traceparent',
          'Access-Control-Max-Age': '600',
        });
        ctx.status = 204;
        return;
      }
    }
    // Calls to the services carry the id, so that audit records name the request.
    await withRequestId(requestId, next);
  };
}
