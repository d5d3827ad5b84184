import type { AuthContext } from './context.ts';
import type { NoticesHost, NoticeUser } from './notices/host.ts';

/** Gives the notices module access to users and mail. */
export function createNoticesHost({ log, pool, db, mailer, publicUrl, now }: AuthContext): NoticesHost {
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
