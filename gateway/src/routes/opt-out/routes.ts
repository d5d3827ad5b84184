import type { OptOut__Output } from '@husky/contracts/types/auth/v1/OptOut';
import { DomainError } from '@husky/runtime/errors';
import type Koa from 'koa';
import { z } from 'zod';
import { reply, route } from '../../http/route.ts';
import { optOutPage, unknownLinkPage } from './page.ts';

const params = z.object({ token: z.string().min(1).max(200) });
const html = { 'Content-Type': 'text/html; charset=utf-8' };

/** Returns a page for browsers, also for an invalid link. Other clients get the usual refusal. */
async function answer(koa: Koa.Context, ask: () => Promise<OptOut__Output>) {
  try {
    return reply({ body: optOutPage(await ask()), headers: html });
  } catch (error) {
    const unknown = error instanceof DomainError && error.code === 'NOT_FOUND';
    if (!unknown || !koa.get('accept').includes('text/html')) throw error;
    return reply({ status: 404, body: unknownLinkPage(), headers: html });
  }
}

/** The link in each notice (List-Unsubscribe, RFC 8058). Only POST opts out, since mail programs check links by GET. */
export const optOutRoutes = [
  route('GET /opt-out/{token}', {
    access: 'anyone',
    summary: 'The link in a notice: a page that asks; nothing changes',
    params,
    response: 'page',
    handle: ({ params: { token }, context, caller, koa }) =>
      answer(koa, () => context.auth.lookAtOptOut({ token }, { caller })),
  }),
  route('POST /opt-out/{token}', {
    access: 'anyone',
    summary: 'No more mails of that kind to whoever got the link, also by one click in a mail program',
    params,
    response: 'page',
    handle: ({ params: { token }, context, caller, koa }) =>
      answer(koa, () => context.auth.useOptOut({ token }, { caller })),
  }),
];
