import type { OptOut__Output } from '@husky/contracts/types/auth/v1/OptOut';
import { DomainError } from '@husky/runtime/rpc/errors';
import type Koa from 'koa';
import { z } from 'zod';
import { reply, route } from '../../http/route.ts';
import { optOutPage, unknownLinkPage } from './page.ts';

const params = z.object({ token: z.string().min(1).max(200) });
const html = { 'Content-Type': 'text/html; charset=utf-8' };

/** Sends the page of an opt-out link. For an invalid link, browsers get a page and other clients the usual refusal. */
async function sendPage(koa: Koa.Context, read: () => Promise<OptOut__Output>) {
  try {
    return reply({ body: optOutPage(await read()), headers: html });
  } catch (error) {
    const unknown = error instanceof DomainError && error.code === 'NOT_FOUND';
    if (!unknown || !koa.get('accept').includes('text/html')) throw error;
    return reply({ status: 404, body: unknownLinkPage(), headers: html });
  }
}

/** Calls of the link in each notice (List-Unsubscribe, RFC 8058). Only POST opts out, because mail programs check links by GET. */
export const optOutRoutes = [
  route('GET /opt-out/{token}', {
    access: 'anyone',
    summary: 'The link in a notice: a page with a button; changes nothing',
    params,
    response: 'page',
    handle: ({ params: { token }, context, caller, koa }) =>
      sendPage(koa, () => context.auth.lookAtOptOut({ token }, { caller })),
  }),
  route('POST /opt-out/{token}', {
    access: 'anyone',
    summary: 'Unsubscribe the user of the link from its kind of mail; also called by one click in a mail program',
    params,
    response: 'page',
    handle: ({ params: { token }, context, caller, koa }) =>
      sendPage(koa, () => context.auth.useOptOut({ token }, { caller })),
  }),
];
