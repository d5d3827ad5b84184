/** NATS subjects of the events. Apart from their encoding (events.ts), which loads gRPC: the supervisor of `make up` needs only these. */
export const subjects = {
  userChanged: 'husky.auth.user_changed',
  jobEnded: 'husky.simulation.job_ended',
  tournamentEnded: 'husky.simulation.tournament_ended',
  tournamentNews: 'husky.simulation.tournament_news',
  settingsChanged: 'husky.simulation.settings_changed',
  quotaChanged: 'husky.simulation.quota_changed',
  entriesChanged: 'husky.leaderboard.entries_changed',
} as const;

/** Domains of services whose actions are audited. */
export const auditedDomains = ['submission', 'simulation', 'live_data', 'leaderboard', 'pool'] as const;
export type AuditedDomain = (typeof auditedDomains)[number];

export const auditedSubject = (domain: AuditedDomain): string => `husky.${domain}.audited`;

/** Returns the JetStream stream of a subject's domain: `husky_auth` for `husky.auth.user_changed`. */
export const streamOf = (subject: string): string => `husky_${subject.split('.')[1]}`;
