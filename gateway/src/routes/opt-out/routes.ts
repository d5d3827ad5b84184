import type { OptOut__Output } from '@husky/contracts/types/auth/v1/OptOut';
import { DomainError } from '@husky/runtime/rpc/errors';
import type Koa from 'koa';
import { z } from 'zod';
import { reply, route } from '../../http/route.ts';

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

const mailTexts: Readonly<Record<string, string>> = {
  verified: 'when your address has been verified',
  bot_prepared: 'when the packages of a submission have been prepared after its upload',
  bot_disabled: 'when your bot is disabled in a match or paused on the ladder',
  challenged: 'when somebody challenges your bot and you want to be asked',
  tournament: 'when your bot is entered in a tournament, would not start in it, or the results are out',
  match_finished: 'when a match of yours has ended',
};

/** Renders the page of an opt-out link: a question while these mails are enabled, a confirmation when they are disabled. */
function optOutPage({ kind, enabled }: { readonly kind: string; readonly enabled: boolean }): string {
  const when = mailTexts[kind] ?? 'of this kind';
  if (!enabled) return pageOf('These e-mails are off', `<p>You no longer get an e-mail ${when}.</p>`);
  const form = '<form method="post"><button type="submit">Stop these e-mails</button></form>';
  return pageOf('Stop these e-mails?', `<p>You get an e-mail ${when}.</p>\n${form}`);
}

function unknownLinkPage(): string {
  return pageOf('This link is not valid', '<p>You can choose your notices in your account settings.</p>');
}

// Has no script, sign-in or account data except the kind of mail, because everybody who has the mail can open it.
function pageOf(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} - Husky Hold'em</title>
<link rel="icon" href="data:,">
<style>
  body { font: 16px/1.5 sans-serif; color-scheme: light dark; color: light-dark(#0b1420, #e8edf2); background: light-dark(#f4f6f9, #10151c); max-width: 32rem; margin: 15vh auto; padding: 0 1rem; }
  button { font: inherit; min-height: 2.75rem; padding: 0 1.25rem; border: 0; border-radius: 6px; background: #1f6f4a; color: #fff; cursor: pointer; }
  button:focus-visible, a:focus-visible { outline: 3px solid light-dark(#1558b8, #7cc4ff); outline-offset: 2px; }
  a { color: light-dark(#1558b8, #7cc4ff); }
</style>
</head>
<body>
<main>
<h1>${title}</h1>
${content}
<p><a href="/account">Account settings</a></p>
</main>
</body>
</html>
`;
}
