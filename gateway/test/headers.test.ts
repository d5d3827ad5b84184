import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { afterAll, describe, expect, it } from 'vitest';
import { headers } from '../src/http/headers.ts';

const servers: { close: () => void }[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

async function readFraming(path: string, keycloakUrl?: string) {
  const app = new Koa();
  app.use(headers([], keycloakUrl));
  const server = app.listen(0);
  servers.push(server);
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  const ancestors = /frame-ancestors ([^;]+)/.exec(response.headers.get('content-security-policy') ?? '')?.[1];
  return [ancestors, response.headers.get('x-frame-options')];
}

describe('framing by other sites', () => {
  it.each(['/embed/replay/0198-1', '/embed/replay/x?step=3&autoplay=1'])('is allowed for %s', async (path) => {
    expect(await readFraming(path)).toEqual(['*', null]);
  });

  it.each([
    '/',
    '/replay/0198-1',
    '/embed/replay/',
    '/embed/replay/1/2',
    '/embed/replay/..%2F..%2Fadmin/x',
    '/x/embed/replay/1',
    '/EMBED/replay/1',
    '/live/game/1',
    '/silent-check-sso.html',
  ])('is refused for %s', async (path) => {
    expect(await readFraming(path)).toEqual(["'none'", 'DENY']);
  });

  it('is limited to the site itself for the check of a Keycloak session', async () => {
    expect(await readFraming('/silent-check-sso.html', 'https://id.example.org/realms/x')).toEqual([
      "'self'",
      'SAMEORIGIN',
    ]);
  });
});
