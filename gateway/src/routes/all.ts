import { DEFAULT_DATA_LICENSE } from '@husky/runtime/process/data-license';
import type { Telemetry } from '@husky/runtime/telemetry/telemetry';
import type { Route } from '../http/route.ts';
import { adminRoutes } from './admin/routes.ts';
import { authRoutes } from './auth/routes.ts';
import { batchesRoutes } from './batches/routes.ts';
import { challengeRoutes } from './challenges/routes.ts';
import { dockerRoutes } from './docker/routes.ts';
import { downloadRoutes } from './downloads/routes.ts';
import { citationRoutes } from './exports/citation.ts';
import { exportRoutes } from './exports/routes.ts';
import { kitRoutes } from './kit/routes.ts';
import { ladderRoutes } from './ladder/routes.ts';
import { leaderboardRoutes } from './leaderboard/routes.ts';
import { liveRoutes } from './live/routes.ts';
import { llmRoutes } from './llm/batch-routes.ts';
import { optOutRoutes } from './opt-out/routes.ts';
import { type PlatformSettings, platformRoutes } from './platform.ts';
import { playerRoutes } from './players/routes.ts';
import { profileRoutes } from './profile/routes.ts';
import { simRoutes } from './sim/routes.ts';
import { siteRoutes } from './site/routes.ts';
import { submissionRoutes } from './submission/routes.ts';
import { tournamentRoutes } from './tournaments/routes.ts';
import { trialRoutes } from './trials/routes.ts';

/** Returns all routes of the REST API except /openapi.json and /docs. */
export function apiRoutes(settings: PlatformSettings, telemetry: Pick<Telemetry, 'metricsText'>): Route[] {
  const { PUBLIC_URL: publicUrl = '', DATA_LICENSE: license = DEFAULT_DATA_LICENSE, WEB_DIR: webDir } = settings;
  return [
    ...authRoutes,
    ...profileRoutes,
    ...submissionRoutes,
    ...simRoutes,
    ...liveRoutes,
    ...batchesRoutes,
    ...downloadRoutes(publicUrl, license),
    ...exportRoutes(publicUrl, license),
    ...citationRoutes(publicUrl),
    ...kitRoutes(publicUrl, webDir),
    ...playerRoutes,
    ...leaderboardRoutes,
    ...ladderRoutes,
    ...challengeRoutes,
    ...trialRoutes,
    ...tournamentRoutes(publicUrl),
    ...llmRoutes,
    ...adminRoutes,
    ...dockerRoutes,
    ...optOutRoutes,
    ...siteRoutes(publicUrl),
    ...platformRoutes(settings, telemetry),
  ];
}
