import type { Settings } from '@husky/contracts/types/simulation/v1/Settings';
import type { Context, SimulationHandlers } from '../../context.ts';
import { auditWriter } from '../../store/audit.ts';
import { auditedQuota, checkQuota, quotaOf } from '../domain/quota.ts';
import { checkBanner, checkKeepDays, checkLadderHands, checkTag, checkTime } from '../domain/settings.ts';
import { type EventSettings, isLadderOn, readSettings, saveSettings } from '../store/settings.ts';

export function getSettings(context: Context): SimulationHandlers['getSettings'] {
  return async (): Promise<Settings> => present(context, await readSettings(context.pool));
}

export function updateSettings(context: Context): SimulationHandlers['updateSettings'] {
  return async (request, { caller: admin }): Promise<Settings> => {
    const { banner, frozen, tournamentStart, tournamentEnd, homeBoard, expectedVersion } = request;
    const { keepTestRunsDays, keepLogsDays, ladder, ladderHands, ladderHandsADay, keepLadderDays } = request;
    const change = {
      banner: banner === undefined ? undefined : checkBanner(banner),
      frozen,
      tournamentStart: tournamentStart === undefined ? undefined : checkTime(tournamentStart),
      tournamentEnd: tournamentEnd === undefined ? undefined : checkTime(tournamentEnd),
      homeBoard: homeBoard === undefined ? undefined : checkTag(homeBoard),
      keepTestRunsDays: keepTestRunsDays === undefined ? undefined : checkKeepDays(keepTestRunsDays),
      keepLogsDays: keepLogsDays === undefined ? undefined : checkKeepDays(keepLogsDays),
      ladder,
      ladderHands: ladderHands === undefined ? undefined : checkLadderHands('ladderHands', ladderHands),
      ladderHandsADay: ladderHandsADay === undefined ? undefined : checkLadderHands('ladderHandsADay', ladderHandsADay),
      keepLadderDays: keepLadderDays === undefined ? undefined : checkKeepDays(keepLadderDays, 1),
      quota: checkQuota(quotaOf(request), 1),
    };
    const by = { userId: admin.id, expectedVersion, now: context.now() };
    const subject = { action: 'settings.changed', subjectKind: 'settings', subjectId: 'event' };
    const saved = await saveSettings(context.pool, change, by, context.settings.quota, (before, after) =>
      auditWriter(admin, { ...subject, before: audited(before), after: audited(after) }),
    );
    context.relay.kick();
    return present(context, saved);
  };
}

const audited = (settings: EventSettings) => ({
  banner: settings.banner,
  frozen: settings.frozen,
  tournament_start: settings.tournamentStart,
  tournament_end: settings.tournamentEnd,
  home_board: settings.homeBoard,
  keep_test_runs_days: settings.keepTestRunsDays,
  keep_logs_days: settings.keepLogsDays,
  ladder: settings.ladder,
  ladder_hands: settings.ladderHands,
  ladder_hands_a_day: settings.ladderHandsADay,
  keep_ladder_days: settings.keepLadderDays,
  ...auditedQuota(settings.quota),
});

function present(context: Context, settings: EventSettings) {
  return {
    banner: settings.banner,
    frozen: settings.frozen,
    frozenAt: settings.frozenAt?.toISOString() ?? '',
    tournamentStart: settings.tournamentStart.toISOString(),
    tournamentEnd: settings.tournamentEnd.toISOString(),
    homeBoard: settings.homeBoard,
    keepTestRunsDays: settings.keepTestRunsDays,
    keepLogsDays: settings.keepLogsDays,
    ladder: isLadderOn(context, settings),
    ladderHands: settings.ladderHands,
    ladderHandsADay: settings.ladderHandsADay,
    keepLadderDays: settings.keepLadderDays,
    ...context.settings.quota,
    ...settings.quota,
    version: settings.version,
    updatedAt: settings.updatedAt.toISOString(),
    updatedById: settings.updatedBy ?? '',
  };
}
