import { type NotCovered, notCovered as ofFiles } from '@husky/match/not-covered';

/** What an export says and nobody can compute, with its fields. */
export const notCovered: readonly NotCovered[] = [
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
    what: 'numbers of attempts, names of deal sets, models, texts and origin of the export',
    fields: [
      ...['attempt', 'deal_set', 'end_reason'].map((name) => `matches.${name}`),
      ...['model_name', 'model_version', 'provider', 'prompt', 'cost_usd', 'created_on'].map((name) => `bots.${name}`),
      ...[
        'export_id',
        'source',
        'made_at',
        'license',
        'rules_version',
        'methodology_version',
        'luck_version',
        'tables.*.*.about',
      ].map((name) => `manifest.${name}`),
      'README.md',
    ],
    why: 'the site states them',
  },
];

/** The fields of `notCovered`. */
export const statedFields: ReadonlySet<string> = new Set(notCovered.flatMap(({ fields }) => fields));

/** What only a plan binds, of matches without one (`matches`) and of players whose names no plan opens. */
export function withoutPlan(matches: number, names: ReadonlySet<string>): NotCovered[] {
  const found: NotCovered[] = [];
  if (matches > 0)
    found.push({
      what: `numbers and batch of ${matches} matches`,
      fields: ['matches.game_number', 'manifest.batch_id'],
      why: 'they have no plan in this export',
    });
  if (names.size > 0)
    found.push({
      what: `names of players (${[...names].sort().join(', ')})`,
      fields: ['results', 'bots', 'standings', 'pairs'].map((table) => `${table}.username`),
      why: 'no plan in this export binds them: it has none, or the account was deleted; all tables and PHH files agree',
    });
  return found;
}

/** What only a list binds, of matches whose seeds stand in none. */
export const withoutList = (matches: number): NotCovered => ({
  ...ofFiles.seedChoice,
  what: `whether somebody chose the seeds of ${matches} matches`,
});

/** What was computed by methods of another version. */
export const otherVersion = (what: string, fields: readonly string[]): NotCovered => ({
  what,
  fields,
  why: 'they were computed by another version of the methods',
});
