import type { MessageTypeDefinition } from '@grpc/proto-loader';
import type { Audited, Audited__Output } from '../types/husky/events/v1/Audited.ts';
import type { EntriesChanged, EntriesChanged__Output } from '../types/husky/events/v1/EntriesChanged.ts';
import type { JobEnded, JobEnded__Output } from '../types/husky/events/v1/JobEnded.ts';
import type { QuotaChanged, QuotaChanged__Output } from '../types/husky/events/v1/QuotaChanged.ts';
import type { SettingsChanged, SettingsChanged__Output } from '../types/husky/events/v1/SettingsChanged.ts';
import type { TournamentEnded, TournamentEnded__Output } from '../types/husky/events/v1/TournamentEnded.ts';
import type { TournamentNews, TournamentNews__Output } from '../types/husky/events/v1/TournamentNews.ts';
import type { UserChanged, UserChanged__Output } from '../types/husky/events/v1/UserChanged.ts';
import type { MatchEvent, MatchEvent__Output } from '../types/husky/live/v1/MatchEvent.ts';
import { definitionsOf } from './services.ts';

/** Returns the JetStream stream of a subject's domain: `husky_auth` for `husky.auth.user_changed`. */
export function streamOf(subject: string): string {
  return `husky_${subject.split('.')[1]}`;
}

/** An event: its NATS subject and its protobuf encoding. */
export interface EventContract<In extends object, Out> {
  readonly subject: string;
  encode(message: In): Buffer;
  decode(bytes: Uint8Array): Out;
}

function event<In extends object, Out>(subject: string, type: string): EventContract<In, Out> {
  const definition = () => definitionsOf(type)[type] as unknown as MessageTypeDefinition<In, Out>;
  return {
    subject,
    encode: (message) => definition().serialize(message),
    decode: (bytes) => definition().deserialize(Buffer.from(bytes)),
  };
}

export const userChanged = event<UserChanged, UserChanged__Output>(
  'husky.auth.user_changed',
  'husky.events.v1.UserChanged',
);
export const jobEnded = event<JobEnded, JobEnded__Output>('husky.simulation.job_ended', 'husky.events.v1.JobEnded');
export const tournamentEnded = event<TournamentEnded, TournamentEnded__Output>(
  'husky.simulation.tournament_ended',
  'husky.events.v1.TournamentEnded',
);
export const tournamentNews = event<TournamentNews, TournamentNews__Output>(
  'husky.simulation.tournament_news',
  'husky.events.v1.TournamentNews',
);
export const settingsChanged = event<SettingsChanged, SettingsChanged__Output>(
  'husky.simulation.settings_changed',
  'husky.events.v1.SettingsChanged',
);
export const quotaChanged = event<QuotaChanged, QuotaChanged__Output>(
  'husky.simulation.quota_changed',
  'husky.events.v1.QuotaChanged',
);
/** Quotas of a user until an admin sets others. */
export const defaultQuota = {
  maxTestRuns: 3,
  maxTestRunsADay: 200,
  maxSubmissions: 5,
  maxUploadsADay: 100,
  maxChallengesADay: 20,
  maxTrialHandsADay: 300_000,
};
export const entriesChanged = event<EntriesChanged, EntriesChanged__Output>(
  'husky.leaderboard.entries_changed',
  'husky.events.v1.EntriesChanged',
);

/** Domains of services whose actions are audited. */
export const auditedDomains = ['submission', 'simulation', 'live_data', 'leaderboard', 'pool'] as const;
export type AuditedDomain = (typeof auditedDomains)[number];

/** Returns the event of an audited action in a domain. auth has none: it writes into the audit log directly. */
export function audited(domain: AuditedDomain): EventContract<Audited, Audited__Output> {
  return event<Audited, Audited__Output>(`husky.${domain}.audited`, 'husky.events.v1.Audited');
}

/** An event for the watchers of one match. Core NATS, not durable; the subject is `live.<job id>`. */
export const matchEvent = event<MatchEvent, MatchEvent__Output>('live', 'husky.live.v1.MatchEvent');
