import type { User__Output } from '@husky/contracts/types/auth/v1/User';
import { DomainError } from '@husky/runtime/rpc/errors';
import type Koa from 'koa';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { reply, route } from '../../http/route.ts';

const params = z.object({ token: z.string().min(1).max(500) });

/** Redeems a mailed link and redirects to `page`, with `?error=invalid` if auth refuses the link. */
async function redeemLink(koa: Koa.Context, context: Context, page: URL, redeem: () => Promise<User__Output>) {
  // HEAD does not redeem the link, because some mail programs check links before the user clicks.
  if (koa.method !== 'HEAD') {
    try {
      context.sessions.forget((await redeem()).id);
    } catch (error) {
      if (!(error instanceof DomainError) || error.code === 'UNAVAILABLE' || error.code === 'INTERNAL') throw error;
      page.searchParams.set('error', 'invalid');
    }
  }
  koa.redirect(`${page.pathname}${page.search}`);
  return reply({ status: 302 });
}

const pageOf = (path: string) => new URL(path, 'http://localhost');

/** The targets of links in mails. */
export const mailedLinkRoutes = [
  route('GET /auth/verify-email/{token}', {
    access: 'anyone',
    summary: 'The verification link: single use; redirects to the page that shows the result',
    params,
    response: 'redirect',
    handle: ({ params, context, koa, caller }) =>
      redeemLink(koa, context, pageOf('/verification-success'), () =>
        context.auth.verifyEmail({ token: params.token }, { caller }),
      ),
  }),
  route('GET /auth/change-email/{token}', {
    access: 'anyone',
    summary: 'The link mailed to a new address: single use, the account has that address from then on',
    params,
    response: 'redirect',
    handle: ({ params, address, context, koa, caller }) =>
      redeemLink(koa, context, pageOf('/verification-success?for=new-address'), () =>
        context.auth.confirmEmailChange({ token: params.token, address }, { caller }),
      ),
  }),
];
