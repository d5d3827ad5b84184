import type { MessageTypeDefinition } from '@grpc/proto-loader';
import type { Audited, Audited__Output } from '../types/husky/events/v1/Audited.ts';
import type { EntriesChanged, EntriesChanged__Output } from '../types/husky/events/v1/EntriesChanged.ts';
import type { JobEnded, JobEnded__Output } from '../types/husky/events/v1/JobEnded.ts';
import type { QuotaChanged, QuotaChanged__Output } from '../types/husky/events/v1/QuotaChanged.ts';
import type { SettingsChanged, SettingsChanged__Output } from '../types/husky/events/v1/SettingsChanged.ts';
import type { TournamentEnded, TournamentEnded__Output } from '../types/husky/events/v1/TournamentEnded.ts';
import type { TournamentNews, TournamentNews__Output } from '../types/husky/events/v1/TournamentNews.ts';
import type { UserChanged, UserChanged__Output } from '../types/husky/events/v1/UserChanged.ts';
import { definitionsOf } from './services.ts';
import { type AuditedDomain, auditedSubject, subjects } from './subjects.ts';

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

export const userChanged = event<UserChanged, UserChanged__Output>(subjects.userChanged, 'husky.events.v1.UserChanged');
export const jobEnded = event<JobEnded, JobEnded__Output>(subjects.jobEnded, 'husky.events.v1.JobEnded');
export const tournamentEnded = event<TournamentEnded, TournamentEnded__Output>(
  subjects.tournamentEnded,
  'husky.events.v1.TournamentEnded',
);
export const tournamentNews = event<TournamentNews, TournamentNews__Output>(
  subjects.tournamentNews,
  'husky.events.v1.TournamentNews',
);
export const settingsChanged = event<SettingsChanged, SettingsChanged__Output>(
  subjects.settingsChanged,
  'husky.events.v1.SettingsChanged',
);
export const quotaChanged = event<QuotaChanged, QuotaChanged__Output>(
  subjects.quotaChanged,
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
  subjects.entriesChanged,
  'husky.events.v1.EntriesChanged',
);

/** Returns the event of an audited action in a domain. auth has none: it writes into the audit log directly. */
export function audited(domain: AuditedDomain): EventContract<Audited, Audited__Output> {
  return event<Audited, Audited__Output>(auditedSubject(domain), 'husky.events.v1.Audited');
}
