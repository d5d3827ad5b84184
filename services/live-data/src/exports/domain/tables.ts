/** The Parquet type of a column: strings are UTF-8, timestamps milliseconds in UTC. */
export type ColumnType = 'string' | 'int32' | 'int64' | 'double' | 'boolean' | 'timestamp';

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  readonly nullable?: boolean;
  readonly about: string;
}

export type Value = string | number | boolean | Date | null;
export type Row = Readonly<Record<string, Value>>;

const jobId: Column = { name: 'job_id', type: 'string', about: 'id of the match' };
const hand: Column = { name: 'hand', type: 'int32', about: 'number of the hand in its match, from 1' };
const seat: Column = { name: 'seat', type: 'int32', about: 'seat from 1, the same for the whole match' };
const player: readonly Column[] = [
  { name: 'user_id', type: 'string', about: 'id of the player; names can change, ids cannot' },
  { name: 'username', type: 'string', about: 'name in the plan; without one that at the start of the export' },
];
const bot: readonly Column[] = [
  { name: 'bot_hash', type: 'string', about: 'SHA-256 of the bot (docs/fairness.md)' },
  { name: 'packages_hash', type: 'string', nullable: true, about: 'SHA-256 of its packages; null: standard library' },
];

const estimate = (name: string, about: string): Column => ({ name, type: 'double', nullable: true, about });

/** The tables of an export with their columns in order. docs/data.md and the manifest list them. */
export const tables = {
  matches: [
    jobId,
    { name: 'batch_number', type: 'int32', nullable: true, about: 'displayed number of the batch; null: no batch' },
    { name: 'game_number', type: 'int32', about: 'number of the match in its batch, otherwise of the job' },
    { name: 'started_at', type: 'timestamp', about: 'start of the accepted attempt' },
    { name: 'seats', type: 'int32', about: 'number of players' },
    { name: 'num_rounds', type: 'int32', about: 'the most hands to be played' },
    { name: 'hands', type: 'int32', about: 'hands played' },
    { name: 'starting_stack', type: 'int32', about: 'chips of a player at the start' },
    { name: 'stacks', type: 'string', about: 'carry, or reset: every hand starts with the starting stack' },
    { name: 'big_blind', type: 'int32', about: 'big blind of hand 1' },
    { name: 'blind_multiplier', type: 'string', about: 'factor of the blinds, decimal' },
    { name: 'blind_interval', type: 'int32', about: 'hands between two increases of the blinds' },
    { name: 'profile', type: 'string', about: 'documented or classic' },
    { name: 'rules_version', type: 'int32', about: 'version of rules and dealing' },
    { name: 'attempt', type: 'int32', about: 'number of the accepted attempt' },
    { name: 'digest', type: 'string', about: 'SHA-256 over all hands, texts of bots included' },
    { name: 'no_contest', type: 'boolean', about: 'fewer than two bots started: the results are 0' },
    { name: 'end_reason', type: 'string', nullable: true, about: 'why it ended before num_rounds; null: it did not' },
    { name: 'deal_set', type: 'string', about: 'matches of one deal set have the same cards' },
    { name: 'seed', type: 'string', nullable: true, about: 'hex; null: not published yet' },
    {
      name: 'seed_proof',
      type: 'string',
      nullable: true,
      about: 'JSON: path and record of the list of the seed; null: of no list, or not published yet',
    },
    { name: 'plan', type: 'string', nullable: true, about: 'text of the committed plan; null: it has none' },
    { name: 'commitment', type: 'string', nullable: true, about: 'SHA-256 of commitment_input with the seed' },
    { name: 'commitment_input', type: 'string', nullable: true, about: 'the committed text without its key seed' },
    { name: 'record_number', type: 'int64', nullable: true, about: 'number in the chain; null: older than the chain' },
    { name: 'record_job_hash', type: 'string', nullable: true, about: 'SHA-256 of job_id' },
    { name: 'record_time', type: 'string', nullable: true, about: 'time of the record, RFC 3339 with milliseconds' },
    { name: 'record_previous', type: 'string', nullable: true, about: 'hash of the record before' },
    { name: 'record_hash', type: 'string', nullable: true, about: 'hash of this record' },
  ],
  results: [
    jobId,
    seat,
    ...player,
    { name: 'name_salt', type: 'string', nullable: true, about: 'opens the hash of the name in the plan' },
    ...bot,
    { name: 'delta', type: 'int64', about: 'result of the match in chips; 0 in a match of no contest' },
    { name: 'net', type: 'int64', about: 'sum of the results of all hands in chips' },
    { name: 'adjusted_net', type: 'double', about: 'sum of the nets without luck' },
    { name: 'final_stack', type: 'int64', about: 'chips after the last hand' },
    { name: 'faults', type: 'int32', about: 'failed decisions' },
    { name: 'adjusted', type: 'int32', about: 'actions that were changed to a legal one' },
  ],
  hands: [
    jobId,
    hand,
    { name: 'started_at', type: 'timestamp', about: 'start of the hand' },
    { name: 'small_blind', type: 'int32', about: 'chips' },
    { name: 'big_blind', type: 'int32', about: 'chips' },
    { name: 'button_seat', type: 'int32', about: 'seat of the button' },
    { name: 'board', type: 'string', about: 'dealt cards of the board, such as 7c Td Ah; empty before the flop' },
    { name: 'street', type: 'string', about: 'last street that was dealt: preflop, flop, turn, river' },
    { name: 'pot', type: 'int64', about: 'chips bet in the hand without a returned uncalled bet' },
    { name: 'showdown', type: 'boolean', about: 'at least two players did not fold' },
    { name: 'all_in', type: 'boolean', about: 'a player bet the last of its chips' },
    { name: 'small_blind_seat', type: 'int32', nullable: true, about: 'who posted the small blind; null: nobody' },
    { name: 'big_blind_seat', type: 'int32', about: 'who posted the big blind' },
  ],
  hand_players: [
    jobId,
    hand,
    seat,
    { name: 'cards', type: 'string', about: 'hole cards, such as As Kd' },
    { name: 'start_stack', type: 'int64', about: 'chips before the hand' },
    { name: 'net', type: 'int64', about: 'chips won (+) or lost (-) in the hand' },
    { name: 'adjusted_net', type: 'double', about: 'net without luck (docs/methodology.md)' },
    { name: 'folded', type: 'boolean', about: 'the player folded' },
  ],
  actions: [
    jobId,
    hand,
    {
      name: 'number',
      type: 'int32',
      about: 'number of the action in its hand, from 1; the first ones are the posted blinds',
    },
    { name: 'street', type: 'string', about: 'preflop, flop, turn, river' },
    seat,
    { name: 'action', type: 'string', about: 'RAISE, CALL, FOLD, CHECK or ALL IN' },
    { name: 'amount', type: 'int64', about: 'chips added' },
    { name: 'ms', type: 'int32', about: 'milliseconds since the start of the hand' },
    { name: 'fault', type: 'string', nullable: true, about: 'kind of fault that folded; null: none' },
    { name: 'adjusted', type: 'boolean', about: 'the action was changed to a legal one' },
  ],
  bots: [
    { name: 'batch_number', type: 'int32', nullable: true, about: 'displayed number of the batch; null: no batch' },
    ...player,
    ...bot,
    { name: 'matches', type: 'int32', about: 'matches of this bot in the export' },
    { name: 'hands', type: 'int64', about: 'hands of these matches' },
    { name: 'delta', type: 'int64', about: 'sum of the results of these matches in chips' },
    {
      name: 'model_name',
      type: 'string',
      nullable: true,
      about: 'from the metadata of the batch, as are the following',
    },
    { name: 'model_version', type: 'string', nullable: true, about: 'version or date of the model' },
    { name: 'provider', type: 'string', nullable: true, about: 'who offers the model' },
    { name: 'prompt', type: 'string', nullable: true, about: 'the prompt that the bot was written with' },
    { name: 'cost_usd', type: 'double', nullable: true, about: 'cost of writing the bot in US dollars' },
    { name: 'created_on', type: 'string', nullable: true, about: 'day on which the bot was written, YYYY-MM-DD' },
  ],
  standings: [
    ...player,
    { name: 'estimator', type: 'string', about: 'raw, adjusted, duplicate or duplicate_adjusted' },
    { name: 'matches', type: 'int32', about: 'matches of the player' },
    { name: 'hands', type: 'int64', nullable: true, about: 'hands of the estimate; null, as all that follow: too few' },
    estimate('chips_per_100', 'chips won in 100 hands'),
    estimate('low', 'lower end of its 95 % interval'),
    estimate('high', 'upper end of its 95 % interval'),
    estimate('standard_error', 'standard error of chips_per_100'),
    estimate('bb_per_100', 'big blinds won in 100 hands'),
    estimate('bb_low', 'lower end of its 95 % interval'),
    estimate('bb_high', 'upper end of its 95 % interval'),
    { name: 'group', type: 'int32', nullable: true, about: 'players of one group are tied' },
    { name: 'rank_best', type: 'int32', nullable: true, about: 'best place that the results allow' },
    { name: 'rank_worst', type: 'int32', nullable: true, about: 'worst place that the results allow' },
    estimate('rating', 'rating by places in the matches, the same for all estimators'),
    estimate('rating_low', 'lower end of its 95 % interval'),
    estimate('rating_high', 'upper end of its 95 % interval'),
  ],
  pairs: [
    { name: 'estimator', type: 'string', about: 'the estimator with which pairs are compared' },
    ...player,
    { name: 'opponent_id', type: 'string', about: 'id of the other player' },
    { name: 'opponent', type: 'string', about: 'name of the other player' },
    estimate('better', 'probability that the player is better than the opponent'),
    estimate('hands_needed', 'hands of each that would tell them apart, all pairs compared at once'),
  ],
} as const satisfies Readonly<Record<string, readonly Column[]>>;

export type TableName = keyof typeof tables;

/** What a row of each table is, and the columns that identify it. */
export const rowsOf: Readonly<Record<TableName, { readonly about: string; readonly key: readonly string[] }>> = {
  matches: { about: 'a match', key: ['job_id'] },
  results: { about: 'a seat of a match', key: ['job_id', 'seat'] },
  hands: { about: 'a hand', key: ['job_id', 'hand'] },
  hand_players: { about: 'a player who was dealt in', key: ['job_id', 'hand', 'seat'] },
  actions: { about: 'an action, blinds included', key: ['job_id', 'hand', 'number'] },
  bots: { about: 'sums of a bot in a batch', key: ['batch_number', 'user_id', 'bot_hash', 'packages_hash'] },
  standings: { about: 'an estimate of a player', key: ['user_id', 'estimator'] },
  pairs: { about: 'two players compared', key: ['user_id', 'opponent_id'] },
};
