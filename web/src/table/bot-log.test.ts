import { expect, it } from 'vitest';
import { decisionsOf, outputOf } from './bot-log.ts';
import { actions, blinds, gameOf, sampleLog } from './sample-log.ts';

const log = `loaded
--- hand 1, on_start
ready
--- hand 1, get_action 1
pot odds 0.3
call

--- hand 1, on_round_start
flop
--- hand 1, get_action 2
  bluff
--- hand 3, get_action 1
three
[123 bytes left out here]
--- hand 9, get_action 2
nine
`;

it.each([
  [log, 1, ['pot odds 0.3\ncall', '  bluff', '']],
  [log, 2, ['', '']],
  [log, 3, ['three\n[123 bytes left out here]', null]],
  [log, 5, [null]],
  [log, 9, [null, 'nine']],
  [log, 12, ['']],
  ['', 1, ['']],
  ['printed by an earlier release\n', 1, [null]],
  ['--- hand 1, get_action 1\na\n[9 bytes left out here]\n', 4, [null]],
])('the output of a decision is found in the log (%#)', (text, hand, outputs) => {
  const output = outputOf(text, hand);
  expect(outputs.map((_, index) => output(index + 1))).toEqual(outputs);
});

it('each decision of the seat has its step, time and output; posts are none', () => {
  const file = sampleLog([[...blinds, ...actions('2 CALL 10, 0 CALL 5')], actions('0 CHECK 0')]);
  const sequence = Object.values(file.rounds).flatMap(
    (round) => (round as { action_sequence: { timestamp: number }[] }).action_sequence,
  );
  for (const [index, action] of sequence.entries()) action.timestamp = 1_754_788_302_000 + 7 * index * index;
  const found = decisionsOf(gameOf(file), 0, log, 1);
  expect(found.map(({ step, ms, output }) => [step, ms, output])).toEqual([
    [3, 35, 'pot odds 0.3\ncall'],
    [4, 49, '  bluff'],
  ]);
});
