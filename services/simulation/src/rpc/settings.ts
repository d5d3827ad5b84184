import type { Context, SimulationHandlers } from '../context.ts';
import { checkBanner, checkTag, checkTime } from '../domain/event-settings.ts';
import { checkQuota } from '../domain/quota.ts';
import { audits } from '../store/also.ts';
import { readSettings, type StoredSettings, saveSettings } from '../store/settings.ts';
import { plainQuota, quotaOf } from './user-quota.ts';

/** Anyone. */
export function getSettings(context: Context): SimulationHandlers['getSettings'] {
  return async () => present(context, await readSettings(context.pool));
}

/** Admins. */
export function updateSettings(context: Context): SimulationHandlers['updateSettings'] {
  return async (request, { caller: user }) => {
    const { banner, frozen, tournamentStart, tournamentEnd, homeBoard, expectedVersion } = request;
    const change = {
      banner: banner === undefined ? undefined : checkBanner(banner),
      frozen,
      tournamentStart: tournamentStart === undefined ? undefined : checkTime(tournamentStart),
      tournamentEnd: tournamentEnd === undefined ? undefined : checkTime(tournamentEnd),
      homeBoard: homeBoard === undefined ? undefined : checkTag(homeBoard),
      quota: checkQuota(quotaOf(request), 1),
    };
    const by = { userId: user.id, expectedVersion, now: context.now() };
    const saved = await saveSettings(context.pool, change, by, context.settings.quota, (before, after) =>
      audits(user, {
        ...{ action: 'settings.changed', subjectKind: 'settings', subjectId: 'event' },
        ...{ before: plain(before), after: plain(after) },
      }),
    );
    context.relay.kick();
    return present(context, saved);
  };
}

const plain = ({ banner, frozen, tournament_start, tournament_end, home_board, quota }: StoredSettings) => ({
  ...{ banner, frozen, tournament_start, tournament_end, home_board, ...plainQuota(quota) },
});

function present(context: Context, settings: StoredSettings) {
  return {
    banner: settings.banner,
    frozen: settings.frozen,
    tournamentStart: settings.tournament_start.toISOString(),
    tournamentEnd: settings.tournament_end.toISOString(),
    homeBoard: settings.home_board,
    ...context.settings.quota,
    ...settings.quota,
    version: settings.version,
    updatedAt: settings.updated_at.toISOString(),
    updatedById: settings.updated_by ?? '',
  };
}
