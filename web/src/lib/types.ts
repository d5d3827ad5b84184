import type { ResponseOf } from './api.ts';
import type { components } from './generated/api.ts';

// Names for response types of the gateway's OpenAPI (npm run generate).

type Schemas = components['schemas'];

/** A row of which a page needs only the fields of the specification: it must do without every other one. */
type Only<Row, Specified extends keyof Row> = Pick<Row, Specified> & Partial<Omit<Row, Specified>>;

export type User = Schemas['Whoami'];
export type Kit = ResponseOf<'get', '/kit/index.json'>;
export type AccessToken = Schemas['AccessToken'];
export type SessionRow = ResponseOf<'get', '/auth/sessions'>['sessions'][number];

export type ResultData = Record<string, number>;
/** Progress of a job. */
export type JobProgress = Partial<Pick<OwnJob, 'hands_done' | 'num_rounds' | 'queue_position'>>;
export type OwnJob = Only<Schemas['OwnJob'], 'job_id' | 'job_status'>;
/** A job that a user's bot plays in, or that the user started. */
export type PlayedJob = Only<Schemas['PlayedJob'], 'job_id' | 'job_status'>;
export type BotCode = Schemas['BotCode'];
type JobField = 'id' | 'job_id' | 'status' | 'job_status' | 'error_message' | 'result_data' | 'username';
export type AdminJob = Only<Schemas['AdminJob'], JobField>;
export type ScalingJob = Only<Schemas['ScalingJob'], JobField>;
export type BotFaults = Schemas['BotFaults'];
/** Faults of a job's bots; `faults` is absent if they are unknown. */
export type JobFaults = Partial<Pick<OwnJob, 'faults' | 'no_contest'>>;
export type BotReport = Schemas['BotReport'];
export type BotLog = ResponseOf<'get', '/live/job/{id}/log/{username}'>;

export type Submission = Only<Schemas['Submission'], 'id' | 'player_file' | 'package_file' | 'final' | 'created_at'>;
export type FileContent = Extract<ResponseOf<'get', '/submission/files/{id}'>, { file_data: string }>;

export type LeaderboardEntry = Schemas['LeaderboardEntry'];
export type Board = Schemas['Board'];
export type Ladder = Schemas['Ladder'];
export type LadderEntry = Schemas['LadderEntry'];
export type Tournament = Schemas['Tournament'];
export type TournamentSummary = Schemas['Tournaments']['tournaments'][number];
export type LadderHistory = Schemas['LadderHistory'];
export type Trial = Schemas['Trial'];
export type TrialSummary = Schemas['TrialSummary'];

export type Challenge = Schemas['Challenge'];

export type Profile = Schemas['Profile'];
export type ProfileResponse = ResponseOf<'get', '/profile/{username}'>;
export type DirectoryUser = Schemas['DirectoryEntry'];
export type UserPage = ResponseOf<'get', '/user/all'>;
export type EventSettings = Schemas['EventSettings'];
export type UserQuota = Schemas['UserQuota'];
export type Notices = Schemas['Notices'];
export type AuditRecord = Schemas['AuditRecord'];
export type AdminUser = Schemas['AdminUser'];

export type Autoscaling = Schemas['Autoscaling'];
export type Container = Only<Schemas['Container'], 'container_name' | 'port' | 'state'>;

type GameField = 'job_id' | 'batch_id' | 'players' | 'first_game_created_at' | 'is_public';
export type PublicJob = Only<Schemas['GameJob'], GameField>;
export type MatchNow = Schemas['MatchNow'];
type Pages = Omit<ResponseOf<'get', '/live/public-job-ids/paginated'>, 'jobs'>;
export type JobPage = Only<Pages, 'total_count' | 'has_next' | 'has_previous' | 'page'> & { jobs: PublicJob[] };
/** A match in the admins' list, with its state on the 2025 leaderboard. */
export type AdminGame = Only<Schemas['AdminGameJob'], GameField>;
export type GameRow = Schemas['GameItem'];

export type Batch = Only<Omit<Schemas['Batch'], 'jobs'>, 'batch_id' | 'created_at' | 'total_jobs' | 'job_statuses'> & {
  jobs: BatchJob[];
};
export type BatchStop = Schemas['BatchStop'];
export type BatchPlan = Schemas['BatchPlan'];
export type BatchDetail = Schemas['BatchDetail'];
export type BatchJob = Only<Schemas['BatchJob'], 'job_id' | 'status' | 'users_to_run'>;

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

export type JobResponse = Only<Schemas['JobStatus'], 'job_id' | 'job_status'>;
export type GameResponse = ResponseOf<'get', '/live/game/{id}'>;
export type VisibilityToggled = ResponseOf<'post', '/admin/toggle-job-public/{job_id}'>;

/** An export of a batch or of a period. */
export type Citation = Schemas['Citation'];
export type DataExport = Schemas['DataExport'];

/** Standings with intervals, and their parts. */
export type StandingsResponse = Schemas['Standings'];
export type PlayerEstimates = StandingsResponse['players'][number];
export type Estimate = Schemas['Estimate'];
export type EstimatorId = keyof PlayerEstimates['estimates'];
export type Authoring = Schemas['Authoring'];
export type RoundCode = ResponseOf<'get', '/submission/{id}/authoring/code'>['rounds'][number];
export type Pairs = StandingsResponse['pairs'];
