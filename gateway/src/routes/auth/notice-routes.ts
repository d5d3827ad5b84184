import type { Notices__Output } from '@husky/contracts/types/auth/v1/Notices';
import { z } from 'zod';
import { route } from '../../http/route.ts';

const notices = z
  .object({
    address_verified: z.boolean().describe('no e-mail is sent to an address that is not'),
    notices: z.array(z.object({ kind: z.string(), enabled: z.boolean() })),
  })
  .meta({ id: 'Notices' });
const noticesBody = z
  .strictObject({
    verified: z.boolean().describe('my address has been verified, and what comes next'),
    bot_prepared: z.boolean().describe('the packages of a submission have been prepared after its upload'),
    bot_disabled: z.boolean().describe('my bot was disabled in a match or paused on the ladder'),
    challenged: z.boolean().describe('somebody challenges my bot, and I want to be asked'),
    tournament: z
      .boolean()
      .describe('my bot is entered in a tournament, would not start in it, or the results are out'),
    match_finished: z.boolean().describe('a match or a batch of mine has ended'),
  })
  .partial();

const present = ({ settings, addressVerified }: Notices__Output) => ({
  address_verified: addressVerified,
  notices: settings.map(({ kind, enabled }) => ({ kind, enabled })),
});

export const noticeRoutes = [
  route('GET /auth/notices', {
    access: 'signed-in',
    summary: 'Which notices the caller gets by mail',
    response: notices,
    handle: async ({ context, caller }) => present(await context.auth.getNotices({}, { caller })),
  }),
  route('POST /auth/notices', {
    access: 'signed-in',
    summary: 'Choose which notices the caller gets by e-mail; absent ones stay',
    body: noticesBody,
    response: notices,
    async handle({ body, context, caller }) {
      const settings = Object.entries(body).flatMap(([kind, enabled]) =>
        enabled === undefined ? [] : [{ kind, enabled }],
      );
      return present(await context.auth.setNotices({ settings }, { caller }));
    },
  }),
];
