// Response shapes of the REST contract, written by hand until api-types.ts is generated from the gateway's OpenAPI.

export type User = {
  username: string;
  name: string | null;
  github: string | null;
  discord_username: string | null;
  about: string | null;
  email: string | null;
  admin: boolean;
  is_verified: boolean;
};

export type TokenAnswer = { access_token: string; token_type?: string; expires_in?: number };
export type MessageAnswer = { message: string };

export type JobStatus = 'Pending' | 'Running' | 'Completed' | 'Finished' | 'Failed' | (string & {});
export type ResultData = Record<string, number>;

export type JobProgress = {
  hands_done?: number | null;
  num_rounds?: number | null;
  queue_position?: number | null;
};

export type OwnJob = JobProgress & {
  job_id: string;
  job_status: JobStatus;
  error?: string | null;
  result_data?: ResultData | null;
  created_at?: string | null;
};

export type AdminJob = JobProgress & {
  id: string;
  job_id: string;
  status?: JobStatus;
  job_status: JobStatus;
  error_message?: string | null;
  result_data?: ResultData | null;
  username?: string | null;
  created_at?: string | null;
  completed_at?: string | null;
  tournaments_2025_added?: boolean | null;
};

/** A change of the pool's size. */
export type ScalingJob = AdminJob & { from_size?: number; target_size?: number; current_size?: number };

export type Submission = {
  id: string;
  player_file: string;
  package_file: string;
  final: boolean;
  created_at: string;
};
export type SubmissionList = { files: Submission[] };
export type FileContent = { file_name: string; file_data: string };

export type FinalSubmission = {
  has_final_submission: boolean;
  message?: string;
  submission_id?: string;
  player_file?: string;
  package_file?: string;
  created_at?: string;
};

export type LeaderboardEntry = {
  id: string;
  username: string;
  score: number;
  tag: string | null;
  time_created: string;
};

export type Profile = {
  username: string;
  email?: string | null;
  name: string | null;
  github: string | null;
  discord_username: string | null;
  about: string | null;
  admin: boolean;
};
export type ProfileAnswer = { profile: Profile; leaderboard_entries: LeaderboardEntry[] };

export type DirectoryUser = Pick<Profile, 'username' | 'name' | 'github' | 'discord_username' | 'about'>;
export type UserPage = { users: DirectoryUser[]; total: number; page: number; total_pages: number };

export type AdminUser = { username: string; email: string; admin: boolean; is_verified: boolean };

export type BatchStatusCounts = Partial<Record<'PENDING' | 'RUNNING' | 'FINISHED' | 'FAILED', number>>;
export type BatchJob = { job_id: string; status: string; users_to_run: string[] };
export type Batch = {
  batch_id: string;
  created_at: string;
  total_jobs: number;
  job_statuses: BatchStatusCounts;
  jobs?: BatchJob[];
  /** The four below are carried where the server has them, so that a list needs no call per row. */
  all_added?: boolean | null;
  batch_number?: number | null;
  paused?: boolean | null;
  is_public?: boolean | null;
};
export type BatchJobPage = { jobs: BatchJob[]; total_count?: number; has_next?: boolean; page?: number };
export type BatchMetadata = {
  batch_id: string;
  metadata_id: string | null;
  batch_metadata: Record<string, unknown> | null;
  batch_entries_count: number;
};
export type BatchMetadataSaved = { metadata_id: string; batch_entries_updated: number; action: string };

export type PoolStatus = {
  pool_size: number;
  active_containers: number;
  idle_containers: number;
  acquired_containers: number;
};
export type Container = { container_name: string; port: number | string; state: string };
export type ContainerLog = {
  success: boolean;
  message: string;
  container_name: string;
  port: number | string;
  log_content: string;
};

export type PublicJob = JobProgress & {
  job_id: string;
  batch_id: string | null;
  players: string[];
  first_game_created_at: string | null;
  is_public: boolean;
  status?: JobStatus;
  batch_number?: number | null;
  game_number?: number | null;
};
export type JobPage = {
  jobs: PublicJob[];
  total_count: number;
  has_next: boolean;
  has_previous: boolean;
  page: number;
  total_games?: number;
  total_players?: number;
};
export type GameRow = { game_id: string; game_uuid: string };

export type BotLog = {
  job_id: string;
  username: string;
  log: string;
  verdict: string;
  cpu_ms: number;
  peak_memory_kib: number;
  faults: number;
};

export type AppConfig = {
  identity: 'own' | 'keycloak';
  keycloak?: { url: string; realm: string; clientId: string };
  links: { source?: string; dataset?: string; wiki?: string };
  banner?: string;
};
