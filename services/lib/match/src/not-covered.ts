/** Fields that a verification cannot check, and why. `*` stands for a number or a name. */
export interface NotCovered {
  readonly what: string;
  readonly fields: readonly string[];
  readonly why: string;
}

/** What the seed, the commitment and the rules do not determine, in the files of a match. */
export const notCovered = {
  names: {
    what: 'names of players',
    fields: ['players.*.username', 'playerNames.*', 'usernameMapping.*', 'playerIdToUsername.*', 'plan.names.removed'],
    why: 'the commitment has the ids of players, whose names can change; only a plan has their names',
  },
  seedChoice: {
    what: 'whether somebody chose the seed',
    fields: [],
    why: 'it stands in no list that was in the chain before: a local match or a test run, or one of rules version 1 or 2',
  },
  beacon: {
    what: 'signature of the beacon',
    fields: ['beacon.signature'],
    why: 'its chain is not one whose public key is known here; the key of the cards follows from what is stated',
  },
  statements: {
    what: 'number of the match and its attempt, dates, source and license',
    fields: 'source batch_id batch_number game_number attempt started_at ended_at made_at license'.split(' '),
    why: 'the site states them',
  },
  choices: {
    what: 'whether the bots chose these actions',
    fields: ['actions.cbr'],
    why: 'other legal actions with their results would follow from the seed too',
  },
  digest: { what: 'digest', fields: ['digest'], why: 'it covers texts of bots, which are not in the file' },
  times: {
    what: 'times',
    fields: ['rounds.*.action_sequence.*.timestamp', 'time', 'day', 'month', 'year', 'started_at'],
    why: 'nobody can measure them again; each hand begins after the commitment',
  },
  verdicts: {
    what: 'kinds of faults and what was adjusted',
    fields: [
      'verdicts.*.code',
      'verdicts.*.text',
      'verdicts.*.round',
      'verdicts.*.index',
      'verdicts.removed',
      'actions.*.verdict',
      'faults',
    ],
    why: 'only the dealer saw the answer of the bot',
  },
  playDigest: { what: 'play digest', fields: ['play_digest'], why: 'this format leaves out facts that it covers' },
} as const satisfies Record<string, NotCovered>;

/** Returns fields that this release does not know as not covered. */
export const unknownFields = (fields: Iterable<string>): NotCovered => ({
  what: `unknown fields ${[...fields].join(', ')}`,
  fields: [...fields],
  why: 'a later release wrote them',
});
