import type { components, paths } from './generated/api.ts';

// Response shapes, taken from the gateway's OpenAPI (npm run generate): a drift fails the type check.

type Schemas = components['schemas'];
type Json<Response> = Response extends { content: { 'application/json': infer Body } } ? Body : never;
type GetAnswer<Path extends keyof paths> = paths[Path] extends { get: { responses: { 200: infer Response } } }
  ? Json<Response>
  : never;
type PostAnswer<Path extends keyof paths> = paths[Path] extends { post: { responses: { 200: infer Response } } }
  ? Json<Response>
  : never;

export type User = Schemas['Whoami'];
export type TokenAnswer = Schemas['Session'];
export type MessageAnswer = PostAnswer<'/auth/resend-verification'>;
export type SessionPage = GetAnswer<'/auth/sessions'>;
export type SessionRow = SessionPage['sessions'][number];

export type JobStatus = string;
export type ResultData = Record<string, number>;
/** Where a job stands; not every list carries it. */
export type JobProgress = {
  hands_done?: number | null;
  num_rounds?: number | null;
  queue_position?: number | null;
};
export type OwnJob = Schemas['OwnJob'];
export type AdminJob = Schemas['AdminJob'] & JobProgress;
export type ScalingJob = Schemas['ScalingJob'];
export type BotFaults = Schemas['BotFaults'];
/** What a job's answer tells of its bots' faults; absent from servers and matches of earlier releases. */
export type JobFaults = { faults?: Record<string, BotFaults>; no_contest?: boolean };
export type BotReport = Schemas['BotReport'];
export type BotLog = GetAnswer<'/live/job/{id}/log/{username}'>;

export type Submission = Schemas['Submission'];
export type SubmissionList = GetAnswer<'/submission/list'>;
export type FileContent = Extract<GetAnswer<'/submission/files/{id}'>, { file_data: string }>;
export type FinalSubmission = GetAnswer<'/admin/user-final-submission/{username}'>;

export type LeaderboardEntry = Schemas['LeaderboardEntry'];
export type TopEntries = GetAnswer<'/leaderboard/top/{n}'>;
export type Board = Schemas['Board'];

export type Profile = Schemas['Profile'];
export type ProfileAnswer = GetAnswer<'/profile/{username}'>;
export type DirectoryUser = Schemas['DirectoryEntry'];
export type UserPage = GetAnswer<'/user/all'>;
export type EventSettings = Schemas['EventSettings'];
export type UserQuota = Schemas['UserQuota'];
export type Notices = Schemas['Notices'];
export type AuditRecord = Schemas['AuditRecord'];
export type AuditPageAnswer = GetAnswer<'/admin/audit'>;
export type AdminUser = Schemas['AdminUser'];
export type UserCount = GetAnswer<'/admin/user-count'>;

export type PoolStatus = GetAnswer<'/docker/pool/status'>['data'];
export type Autoscaling = Schemas['Autoscaling'];
export type Container = Schemas['Container'];
export type ContainerLog = GetAnswer<'/docker/game-log/{port}'>;

type Listed = Schemas['GameJob'];
type Page = GetAnswer<'/live/public-job-ids/paginated'>;
/** The contract's own fields are sure; status, numbers and totals came with our server. */
export type PublicJob = Pick<Listed, 'job_id' | 'batch_id' | 'players' | 'first_game_created_at' | 'is_public'> &
  Partial<Listed> &
  JobProgress;
export type JobPage = Pick<Page, 'total_count' | 'has_next' | 'has_previous' | 'page'> &
  Partial<Pick<Page, 'total_games' | 'total_players' | 'recent_count'>> & { jobs: PublicJob[] };
/** As admins list them: also whether they count on the 2025 leaderboard. */
export type AdminGame = Schemas['AdminGameJob'] & JobProgress;
export type AdminGamePage = Omit<JobPage, 'jobs'> & { jobs: AdminGame[] };
export type GameRow = Schemas['GameItem'];

export type Batch = Schemas['Batch'];
export type BatchDetail = Schemas['BatchDetail'];
export type BatchPage = GetAnswer<'/llm/batches'>;
export type BatchJob = Schemas['BatchJob'];
export type BatchJobPage = GetAnswer<'/llm/batch/{id}/jobs'>;
export type BatchMetadata = GetAnswer<'/llm/batch/{id}/metadata'>;
export type BatchMetadataSaved = PostAnswer<'/llm/batch/{id}/metadata'>;

export type AppConfig = {
  identity: 'own' | 'keycloak';
  keycloak?: { url: string; realm: string; clientId: string };
  links: { source?: string; dataset?: string; wiki?: string };
  banner?: string;
  frozen?: boolean;
  tournament?: { start: string; end: string };
};

export type JobAnswer = Schemas['JobStatus'];
export type GameAnswer = GetAnswer<'/live/game/{id}'>;
export type MatchCommitment = GetAnswer<'/live/job/{id}/commitment'>;
export type CommitmentList = GetAnswer<'/live/commitments'>;
export type SeedAnswer = GetAnswer<'/live/job/{id}/seed'>;
export type PerformanceAnswer = GetAnswer<'/live/job/{id}/user-performance'>;
export type BatchOrder = GetAnswer<'/llm/game-log/{game_id}/batch-order'>;
export type VisibilityToggled = PostAnswer<'/admin/toggle-job-public/{job_id}'>;
