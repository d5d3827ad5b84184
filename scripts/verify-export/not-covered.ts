import type { NotCovered } from '@husky/match/not-covered';

/** What an export says and nobody can compute, with its fields. */
export const notCovered: readonly NotCovered[] = [
  {
    what: 'names of players',
    fields: ['results.username', 'bots.username'],
    why: 'the commitment has the ids of players, whose names can change; all tables and PHH files agree',
  },
  {
    what: 'whether the bots chose these actions',
    fields: [],
    why: 'other legal actions with their results would follow from the seed too',
  },
  {
    what: 'times',
    fields: ['matches.started_at', 'hands.started_at', 'actions.ms'],
    why: 'nobody can measure them again; each hand begins after the commitment',
  },
  {
    what: 'kinds of faults and what was adjusted',
    fields: ['actions.fault', 'actions.adjusted'],
    why: 'only the dealer saw the answer of the bot; all tables and PHH files agree',
  },
  { what: 'digest', fields: ['matches.digest'], why: 'it covers texts of bots, which are not in the export' },
  {
    what: 'numbers of planned and deleted matches',
    fields: ['manifest.counts'],
    why: 'the plan and the chain have them',
  },
  {
    what: 'numbers of matches and attempts, deal sets, models, texts and origin of the export',
    fields: [
      ...['game_number', 'attempt', 'deal_set', 'end_reason'].map((name) => `matches.${name}`),
      ...['model_name', 'model_version', 'provider', 'prompt', 'cost_usd', 'created_on'].map((name) => `bots.${name}`),
      ...[
        'export_id',
        'batch_id',
        'source',
        'made_at',
        'license',
        'rules_version',
        'methodology_version',
        'tables.*.*.about',
      ].map((name) => `manifest.${name}`),
      'README.md',
    ],
    why: 'the site states them',
  },
];
