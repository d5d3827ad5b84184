import type { ResponseOf } from './api-types.ts';
import type { components } from './generated/api.ts';

// Names for response types of the gateway's OpenAPI (npm run generate).

type Schemas = components['schemas'];

export type User = Schemas['Whoami'];
export type Kit = ResponseOf<'get', '/kit/index.json'>;
export type AccessToken = Schemas['AccessToken'];
export type SessionRow = ResponseOf<'get', '/auth/sessions'>['sessions'][number];

export type ResultData = Record<string, number>;
/** Progress of a job; absent in the lists for admins. */
export type JobProgress = Partial<Pick<OwnJob, 'hands_done' | 'num_rounds' | 'queue_position'>>;
export type OwnJob = Schemas['OwnJob'];
/** A job that a user's bot plays in, or that the user started. */
export type PlayedJob = Schemas['PlayedJob'];
export type BotCode = Schemas['BotCode'];
export type AdminJob = Schemas['AdminJob'];
export type ScalingJob = Schemas['ScalingJob'];
export type BotFaults = Schemas['BotFaults'];
/** Faults of a job's bots; `faults` is absent if they are unknown. */
export type JobFaults = Partial<Pick<OwnJob, 'faults' | 'no_contest'>>;
export type BotReport = Schemas['BotReport'];
export type BotLog = ResponseOf<'get', '/live/job/{id}/log/{username}'>;

export type Submission = Schemas['Submission'];
export type SubmissionList = ResponseOf<'get', '/submission/list'>;
export type FileContent = Extract<ResponseOf<'get', '/submission/files/{id}'>, { file_data: string }>;

export type LeaderboardEntry = Schemas['LeaderboardEntry'];
export type Board = Schemas['Board'];

export type Profile = Schemas['Profile'];
export type ProfileResponse = ResponseOf<'get', '/profile/{username}'>;
export type DirectoryUser = Schemas['DirectoryEntry'];
export type UserPage = ResponseOf<'get', '/user/all'>;
export type EventSettings = Schemas['EventSettings'];
export type UserQuota = Schemas['UserQuota'];
export type Notices = Schemas['Notices'];
export type AuditRecord = Schemas['AuditRecord'];
export type ParkedMessage = Schemas['ParkedMessage'];
export type AdminUser = Schemas['AdminUser'];

export type Autoscaling = Schemas['Autoscaling'];
export type Container = Schemas['Container'];

export type PublicJob = Schemas['GameJob'];
export type MatchNow = Schemas['MatchNow'];
export type JobPage = ResponseOf<'get', '/live/public-job-ids/paginated'>;
/** A match in the admins' list, with its state on the 2025 leaderboard. */
export type AdminGame = Schemas['AdminGameJob'];
export type GameRow = Schemas['GameItem'];

export type Batch = Schemas['Batch'];
export type BatchStop = Schemas['BatchStop'];
export type BatchPlan = Schemas['BatchPlan'];
export type BatchDetail = Schemas['BatchDetail'];
export type BatchJob = Schemas['BatchJob'];

/** A batch on its public page, and the results of players over public matches. */
export type PublicBatch = Schemas['PublicBatch'];
export type PlayerResults = Schemas['Player'];
export type HeadToHead = Schemas['HeadToHead'];
/** How a player's bot plays, and each of its figures. */
export type PlayStatistics = Schemas['PlayStatistics'];
export type PlayFigure = Schemas['PlayFigure'];
export type BotVersion = ResponseOf<'get', '/players/{username}/versions'>['versions'][number];
export type LiveNow = ResponseOf<'get', '/live/now'>;
export type PlayerMatch = ResponseOf<'get', '/live/players/{username}/matches'>['matches'][number];
export type PlayerHand = ResponseOf<'get', '/live/players/{username}/hands'>['hands'][number];

export type AppConfig = ResponseOf<'get', '/app-config.json'>;
export type KeycloakSettings = NonNullable<AppConfig['keycloak']>;

export type JobResponse = Schemas['JobStatus'];
export type GameResponse = ResponseOf<'get', '/live/game/{id}'>;
export type VisibilityToggled = ResponseOf<'post', '/admin/toggle-job-public/{job_id}'>;

/** An export of a batch or of a period. */
export type DataExport = Schemas['DataExport'];

/** Standings with intervals, and their parts. */
export type StandingsResponse = Schemas['Standings'];
export type PlayerEstimates = StandingsResponse['players'][number];
export type Estimate = Schemas['Estimate'];
export type EstimatorId = keyof PlayerEstimates['estimates'];
export type Pairs = StandingsResponse['pairs'];
