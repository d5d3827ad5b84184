import { authService } from '@husky/contracts/services';
import type { Lifecycle } from '@husky/runtime/process/lifecycle';
import { openService } from '@husky/runtime/process/open-service';
import { access } from './access.ts';
import { consumeAudited } from './audit/events/audited.ts';
import type { AuthConfig } from './config.ts';
import type { AuthContext } from './context.ts';
import { createFirstAdmin } from './first-admin.ts';
import type { NoticesHost, NoticeUser } from './notices/host.ts';
import { startNotices } from './notices/notices.ts';
import { openContext } from './open-context.ts';
import { retryAtStart } from './retry-at-start.ts';
import { createHandlers } from './server.ts';
import { deleteExpired } from './store/cleanup.ts';
import { clientOver, migrations } from './store/database.ts';

const hourMs = 3_600_000;

/** Starts the service. Returns its gRPC port. */
export async function start(
  config: AuthConfig,
  life: Pick<Lifecycle, 'log' | 'onStop' | 'readyWhen'>,
  injectedNow?: () => Date,
): Promise<number> {
  const service = await openService(config, life, migrations, clientOver);
  const now = injectedNow ?? (() => new Date(service.now()));
  const { context, rotateKeys } = await openContext(config, service, life, now);
  await retryAtStart(life.log, () => createFirstAdmin(context, config.firstAdmin));
  const notices = createNoticesHost(context);
  startNotices(notices, service);
  consumeAudited(context, service.messaging);
  service.repeat('hourly cleanup', hourMs, async () => {
    await Promise.all([deleteExpired(context.db, now()), rotateKeys()]);
  });
  return service.serve(authService, access, createHandlers(context, notices));
}

/** Gives the notices module access to users and mail. */
function createNoticesHost({ log, pool, db, mailer, publicUrl, now }: AuthContext): NoticesHost {
  return {
    log,
    pool,
    mailer,
    publicUrl,
    now,
    async usersById(ids) {
      const users = await db.user.findMany({
        where: { id: { in: [...ids] } },
        select: { id: true, username: true, email: true, verified: true, house: true, deletedAt: true },
      });
      return new Map(
        users.map(({ deletedAt, ...user }): [string, NoticeUser] => [
          user.id,
          { ...user, deleted: deletedAt !== null },
        ]),
      );
    },
  };
}
