import { profileColumns } from '@husky/contracts/profile-fields';

// Every column of the services that can hold something about a person, by what the deletion of an account does with it.

/** Columns of a user's rows that a deletion clears, or whose rows it deletes: `<schema>.<table>.<column>`. */
export const cleared: readonly string[] = [
  ...profileColumns.map(({ column }) => `auth.users.${column}`),
  ...words(`auth.users.{username,username_key,email,email_key,password_hash}
  auth.sessions.address auth.api_tokens.{name,token_hash,request_key,request_digest,request_salt} auth.mail_tokens.{token_hash,new_email} auth.notices.{key,data}
  submission.submissions.{reason,address,nonce,request_key,request_digest} submission.authorings.{archive,record,request_key,request_digest} simulation.plan_names.{name,salt} simulation.trials.{problem,different} simulation.trial_sets.deal_key submission.final_marks.{bot_hash,nonce}
  live_data.exports.input`),
];

const everywhere = words(`auth submission simulation live_data leaderboard pool`);
const consuming = everywhere.filter((schema) => schema !== 'pool');
const inEach = (schemas: readonly string[], columns: string) =>
  schemas.flatMap((schema) => words(columns).map((column) => `${schema}.${column}`));

/** Columns that keep what they hold, by the reason. */
export const kept: Readonly<Record<string, readonly string[]>> = {
  'of the platform, says nothing about a person': [
    ...inEach(everywhere, '_prisma_migrations.{id,checksum,migration_name,logs}'),
    ...words(`auth.notice_secret.secret auth.signing_keys.{kid,jwk}
      simulation.runners.{name,state,version,totals} simulation.signing_keys.{name,public_key,private_key,change} simulation.seed_lists.{secret,nodes}
      simulation.repetitions.{runner,outcome,cause} simulation.chain_checks.{verified_hash,problem} simulation.queue_classes.kind
      simulation.settings.{banner,home_board} simulation.tournaments.{slug,name,description,prize,problem} simulation.tournament_stages.spec live_data.match_totals.status pool.scaling_jobs.{status,error_message,reason}`),
  ],
  'ids of an event, deleted after some days or when it is replayed; audit records contain ids, not names': [
    ...inEach(
      everywhere,
      'outbox.{subject,payload,trace_context} published_events.{subject,payload,trace_context,stream_created}',
    ),
    ...inEach(consuming, 'parked_messages.{durable,subject,message_id,payload,trace_context,reason}'),
  ],
  'a word of a fixed list':
    words(`auth.api_tokens.scopes auth.mail_tokens.purpose auth.notice_preferences.kind auth.notice_queues.kind
    auth.notices.{kind,outcome} submission.submissions.{state,step} submission.authorings.shown simulation.tournaments.{template,state} simulation.tournament_stages.state leaderboard.entries.tag simulation.queue_owners.kind
    simulation.batches.{state,mode,stacks,design} simulation.jobs.{kind,state,profile,stacks,ended_early,against} simulation.commitments.kind
    simulation.challenges.{format,fill,state,reason} simulation.challenge_players.{role,answer} simulation.challenge_choices.choice
    simulation.deleted_matches.cause simulation.ladder_sets.state simulation.trials.{field,state,verdict} simulation.trial_sets.state simulation.attempts.outcome live_data.matches.{profile,status,end_reason,stacks}
    live_data.exports.state live_data.seat_reports.verdict`),
  'a name is claimed for good, so that nobody can pose as its former owner; only its hash is stored':
    words(`auth.name_claims.name_hash`),
  'a hash of name and place, which slows guessing; deleted after a day or 90 days': words(
    `auth.login_attempts.key auth.known_places.key`,
  ),
  'the audit log is append-only: who did what stays provable. It contains ids and addresses, no names': words(
    `auth.audit_records.{action,actor_kind,subject_kind,subject_id,before_json,after_json,request_id,address}`,
  ),
  'a hash of the request that created the row, with a text that its client drew': words(
    `simulation.jobs.{request_key,request_digest} simulation.trials.{request_key,request_digest} simulation.batches.{request_key,request_digest} simulation.challenges.{request_key,request_digest} simulation.tournaments.{request_key,request_digest}
    leaderboard.entries.{request_key,request_digest} pool.scaling_jobs.{request_key,request_digest}`,
  ),
  'keyed hash of an address, deleted after a day': words(
    `simulation.test_run_starts.address live_data.exports.created_from`,
  ),
  'a bot is kept while a match pins it, so that matches can be played and verified again':
    words(`submission.blobs.{hash,data}
    submission.bots.{hash,player_hash,requirements_file_hash,requirements_hash} submission.pins.bot_hash submission.bot_versions.bot_hash
    submission.submissions.bot_hash submission.archives.{hash,resolved} submission.archive_parts.{archive_hash,data}
    submission.resolutions.{requirements_hash,python,platform,archive_hash} simulation.job_seats.{bot_hash,packages_hash}
    simulation.ladder_versions.bot_hash simulation.tournament_entrants.{bot_hash,packages_hash,nonce}`),
  'a match and its plan stay with the ids of their players, for the other players and for verification': words(`
    simulation.batches.{user_ids,roster,problem,blind_multiplier,metadata,tables,stop_rule,trace_context}
    simulation.jobs.{blind_multiplier,limits,commitment,runner,digest,error_message,trace_context,plan_hash}
    simulation.job_seats.{faults,unfetched_cause,nonce} simulation.attempts.{runner,version,cause,usage} simulation.deal_sets.{seed,beacon}
    simulation.plans.{text,hash,beacon} simulation.commitments.{job_hash,commitment,previous,hash,seeds} simulation.deleted_matches.{job_hash,commitment}
    simulation.ladder_versions.pause_reason simulation.ladder_states.bytes simulation.trials.seats simulation.tournaments.entry_list
    live_data.matches.{player_ids,blind_multiplier,seed} live_data.attempts.{stacks,digest} live_data.archived_hands.sha256
    live_data.chunks.bytes live_data.hand_indexes.{bytes,highlights,best_nets,worst_nets} live_data.match_sums.bytes
    live_data.match_values.{bytes,sums} live_data.series.bytes live_data.play_counters.counts`),
  'what a bot printed and why it failed is part of its match; retention removes it': words(
    `live_data.seat_reports.{log,details}`,
  ),
  'an export with the name of a deleted user is dropped, and its archive deleted':
    words(`live_data.exports.{signature,problem,job_ids,totals}
    live_data.export_files.{path,sha256} live_data.export_parts.bytes`),
};

/** Splits names at white space; `a.{b,c}` stands for `a.b a.c`. */
function words(text: string): string[] {
  return text
    .trim()
    .split(/\s+/)
    .flatMap((word) => {
      const [stem = '', list] = word.split('{');
      return list === undefined
        ? [stem]
        : list
            .slice(0, -1)
            .split(',')
            .map((last) => stem + last);
    });
}
