// The permitted callers of each RPC of each service, written independently of the services' own rules. scripts/proof/repository/access.test.ts
// compares both lists; around-the-gateway.test.ts compares a platform with this list.
import {
  authService,
  leaderboardService,
  liveDataService,
  poolService,
  type ServiceContract,
  simulationService,
  submissionService,
} from '@husky/contracts/services';

/**
 * anyone: any signed identity, including an anonymous one. owner: the owner of the resource, or an admin. readers: callers who may
 * read a private match, including services. session: a user with a session instead of an access token. seat: the author of a seat's
 * bot, or an admin.
 */
export type Access =
  | 'anyone'
  | 'through the gateway'
  | 'verified'
  | 'session'
  | 'verified session'
  | 'admin'
  | 'owner'
  | 'readers'
  | 'seat'
  | 'runner'
  | 'lease'
  | 'admin or simulation'
  | `only ${'simulation' | 'live-data' | 'leaderboard' | 'pool'}`;

type Calls = Readonly<Partial<Record<Access, readonly string[]>>>;

const table: readonly (readonly [contract: ServiceContract<object>, calls: Calls])[] = [
  [
    authService,
    {
      anyone: [
        'Register',
        'Login',
        'Identify',
        'VerifyEmail',
        'GetUser',
        'GetNames',
        'ResolveNames',
        'GetKeys',
        'ConfirmEmailChange',
        'RequestPasswordReset',
        'ResetPassword',
        'LookAtOptOut',
        'UseOptOut',
        'IdentifyApiToken',
      ],
      session: [
        'Logout',
        'ResendVerification',
        'ChangePassword',
        'ChangeEmail',
        'ListSessions',
        'EndSession',
        'EndOtherSessions',
        'DeleteOwnAccount',
        'ExportOwnData',
        'GetNotices',
        'SetNotices',
        'ListApiTokens',
        'RevokeApiToken',
      ],
      'verified session': ['UpdateProfile', 'CreateApiToken'],
      verified: ['ListUsers'],
      admin: ['CountUsers', 'ToggleAdmin', 'ToggleVerified', 'DeleteUser', 'ListAudit'],
    },
  ],
  [
    submissionService,
    {
      // What is shown of a list is its handler's decision; code that is not shown is its author's and admins'.
      anyone: ['OpenFileLink', 'ListAuthorings', 'GetAuthoringCode'],
      verified: ['Upload', 'CheckBot', 'ListSubmissions'],
      owner: [
        'GetSubmission',
        'GetFile',
        'SignFileLink',
        'MarkFinal',
        'UnmarkFinal',
        'DeleteSubmission',
        'UploadAuthoring',
        'ShowAuthoring',
        'DeleteAuthoring',
        'GetFinalSubmission',
        'SummariseSubmissions',
        'GetBotVersion',
      ],
      admin: ['ListUsersWithFinal', 'CountSubmissions'],
      'only simulation': [
        'StageBot',
        'PinUpload',
        'PinFinals',
        'PinHouse',
        'ListFinals',
        'PreparePackages',
        'ReleasePins',
      ],
      lease: ['FetchBot', 'FetchPackages'],
    },
  ],
  [
    simulationService,
    {
      // The metadata of a batch is public if its matches are; an unknown batch is NOT_FOUND for everybody.
      anyone: [
        'GetSettings',
        'GetLadder',
        'ListTournaments',
        'GetTournament',
        'GetTournamentDocument',
        'GetLadderPlayer',
        'ListLadderSets',
        'GetBatchMetadata',
        'ListCommitments',
        'GetSignedHead',
        'CountRepetitions',
        'CountMatches',
        'GetPlan',
        'ListBatchNumbers',
        'FindBatch',
      ],
      verified: [
        'CreateTestRun',
        'LastTestRuns',
        'GetLadderPart',
        'SetLadderPart',
        'CreateChallenge',
        'ListChallenges',
        'AnswerChallenge',
        'PublishChallenge',
        'GetChallengeChoice',
        'SetChallengeChoice',
        'CreateTrial',
        'GetTrial',
        'ListTrials',
        'CancelTrial',
      ],
      readers: ['GetJob', 'GetSeed'],
      // An export: live-data only (services/simulation/test/commitments.test.ts).
      'through the gateway': ['SignFile'],
      owner: ['DeleteJob'],
      admin: [
        'CreateMatch',
        'CreateTournament',
        'ChangeTournament',
        'ActOnTournament',
        'DeleteTournament',
        'RequeueJob',
        'ListJobs',
        'CountJobs',
        'UpdateSettings',
        'ChangeSigningKey',
        'GetUserQuota',
        'SetUserQuota',
        'CreateBatch',
        'ListBotVersions',
        'ListBatches',
        'GetBatch',
        'ListBatchJobs',
        'PauseBatch',
        'ResumeBatch',
        'CancelBatch',
        'RetryBatch',
        'DeleteBatch',
        'SetBatchMetadata',
        'PlanBatch',
      ],
      runner: ['ClaimMatch', 'ClaimRepetition'],
      lease: ['Heartbeat', 'HandBack', 'ReportLoss', 'ReportRepetition'],
      'only live-data': ['GetMatch', 'AcceptResult'],
      'only leaderboard': ['HoldJob', 'ReleaseJob', 'HoldBatch', 'ReleaseBatch', 'ListBatchResults'],
      'only pool': ['ListRunners', 'CordonRunners', 'GetBacklog'],
    },
  ],
  [
    liveDataService,
    {
      anyone: [
        'GetMatchAccess',
        'ListPublicBatches',
        'GetResults',
        'GetStandings',
        'GetSnapshot',
        'GetHandOfTheDay',
        'PlanExport',
        'ListExports',
        'GetExport',
        'DownloadExport',
        'StartExport',
      ],
      readers: [
        'ListHands',
        'GetHand',
        'GetPerformance',
        'GetMatchLuck',
        'StreamMatch',
        'SearchHands',
        'GetHandColumns',
        'ListHighlights',
        'ExportMatch',
      ],
      seat: ['GetSeatLog', 'GetBotReport'],
      admin: ['ListMatches', 'ListPlayerHands', 'GetPlayStatistics', 'GetRetention'],
      'admin or simulation': ['PurgeMatch', 'SetBatchVisibility', 'ToggleVisibility'],
      lease: ['OpenAttempt', 'DeliverChunk', 'DeliverSeatReport', 'CompleteMatch', 'CompareChunk'],
    },
  ],
  [
    leaderboardService,
    {
      anyone: ['GetTop', 'GetBoard', 'ListUserEntries', 'ListTagMatches'],
      verified: ['ListTags'],
      admin: [
        'AddEntry',
        'RemoveEntry',
        'ApplyJob',
        'UnapplyJob',
        'ProcessBatch',
        'UnprocessBatch',
        'GetArenaStatus',
        'ListAppliedJobs',
      ],
    },
  ],
  [
    poolService,
    {
      admin: ['GetStatus', 'Scale', 'ListScalingJobs', 'GetRunnerLog', 'GetAutoscaling', 'SetAutoscaling'],
    },
  ],
];

export interface Rpc {
  readonly contract: ServiceContract<object>;
  readonly service: string;
  readonly name: string;
  readonly access: Access;
}

export const services = table.map(([contract]) => contract);

export const rpcs: readonly Rpc[] = table.flatMap(([contract, calls]) =>
  Object.entries(calls).flatMap(([access, names]) =>
    names.map((name) => ({ contract, service: contract.name, name, access: access as Access })),
  ),
);

/** Kinds of callers that own nothing, each with a signed identity. */
export const strangers = [
  ...([
    'anonymous',
    'unverified',
    'verified',
    'access token',
    'simulation',
    'live-data',
    'leaderboard',
    'submission',
  ] as const),
  ...(['auth', 'pool', 'runner', 'lease'] as const),
] as const;
export type Stranger = (typeof strangers)[number];

const users: readonly Stranger[] = ['unverified', 'verified', 'access token'];
const ownServices: readonly Stranger[] = ['simulation', 'live-data', 'leaderboard', 'submission', 'auth', 'pool'];

/** Returns the status code with which a caller is refused; undefined: permitted. */
export function refusalOf(access: Access, stranger: Stranger): 'UNAUTHENTICATED' | 'PERMISSION_DENIED' | undefined {
  const user = users.includes(stranger);
  switch (access) {
    case 'anyone':
      return undefined;
    case 'through the gateway':
      return user || stranger === 'anonymous' ? undefined : 'PERMISSION_DENIED';
    case 'session':
      if (stranger === 'access token') return 'PERMISSION_DENIED';
      return user ? undefined : 'UNAUTHENTICATED';
    case 'verified session':
      if (stranger === 'verified') return undefined;
      return user ? 'PERMISSION_DENIED' : 'UNAUTHENTICATED';
    case 'verified':
      if (stranger === 'verified' || stranger === 'access token') return undefined;
      return user ? 'PERMISSION_DENIED' : 'UNAUTHENTICATED';
    case 'admin':
    case 'owner':
      return user ? 'PERMISSION_DENIED' : 'UNAUTHENTICATED';
    case 'readers':
      return ownServices.includes(stranger) ? undefined : 'PERMISSION_DENIED';
    case 'seat':
      return stranger === 'anonymous' ? 'UNAUTHENTICATED' : 'PERMISSION_DENIED';
    case 'runner':
    case 'lease':
      return stranger === access ? undefined : 'PERMISSION_DENIED';
    case 'admin or simulation':
      return stranger === 'simulation' ? undefined : 'PERMISSION_DENIED';
    default:
      return access === `only ${stranger}` ? undefined : 'PERMISSION_DENIED';
  }
}
