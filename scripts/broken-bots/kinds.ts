/** Causes that the status of a broken bot's test run may show. */
export type Reading =
  | 'refused'
  | 'startup'
  | 'call'
  | 'exception'
  | 'illegal'
  | 'timeout'
  | 'crash'
  | 'memory'
  | 'protocol';

export interface BrokenKind {
  readonly name: string;
  readonly source: Source;
  /** Any of these is correct. */
  readonly readings: readonly Reading[];
}

/** Place of the broken statements in the bot; `# here` marks the line that an exception must name. */
interface Source {
  readonly where: 'module' | '__init__' | Method;
  readonly code: string;
}

type Method = 'set_id' | 'on_start' | 'on_round_start' | 'get_action' | 'on_end_round' | 'on_end_game';

const callbacks = ['set_id', 'on_start', 'on_round_start', 'on_end_round', 'on_end_game'] as const;

const at = (where: Source['where'], readings: readonly Reading[], codes: Readonly<Record<string, string>>) =>
  Object.entries(codes).map(
    ([name, code]): BrokenKind => ({ name: `${where}: ${name}`, source: { where, code }, readings }),
  );

const exceptions = {
  'a missing key': '{}[3]  # here',
  'an index out of range': '[][7]  # here',
  'an undefined name': 'no_such_name  # here',
  'None as an object': 'None.cards  # here',
  'a division by zero': '1 / 0  # here',
  'a missing module': 'import no_such_module_at_all  # here',
  'an exit': 'sys.exit(1)  # here',
  'a keyboard interrupt': 'raise KeyboardInterrupt  # here',
  'an exception of its own': "raise type('Mine', (Exception,), {})('€ \\x00 \\ud800')  # here",
};

/** All kinds of broken bots. */
export const brokenKinds: readonly BrokenKind[] = [
  ...at('module', ['refused'], { 'a syntax error': 'def (' }),
  ...at('module', ['startup', 'refused'], {
    ...exceptions,
    'an exit of the process': 'os._exit(3)',
    'a sleep': 'time.sleep(3600)',
    'an endless loop': 'while True: pass',
    'too much memory': 'hog = [bytes(1 << 20) for _ in range(4000)]',
    'no class': 'SimplePlayer = None',
  }),
  ...at('__init__', ['startup', 'refused'], { ...exceptions, 'an exit of the process': 'os._exit(0)' }),
  ...callbacks.flatMap((method) => [
    ...at(method, ['call'], exceptions),
    ...at(method, ['crash'], { 'an exit of the process': 'os._exit(0)' }),
    ...at(method, ['timeout'], { 'a sleep': 'time.sleep(3600)', 'an endless loop': 'while True: pass' }),
  ]),
  ...at('get_action', ['exception'], {
    ...exceptions,
    'an infinite recursion': 'def deep(): return deep()\ndeep()',
    'a failed assertion': 'assert False, "never"  # here',
    'an exception whose text cannot be read':
      "raise type('Mute', (Exception,), {'__str__': lambda self: 1 / 0})  # here",
  }),
  ...at('get_action', ['illegal', 'exception'], {
    nothing: 'return None',
    'an action without an amount': 'return PokerAction.FOLD',
    'a word': "return 'fold', 0",
    'three values': 'return PokerAction.FOLD, 0, 0',
    'a word as amount': "return PokerAction.RAISE, 'all'",
    'an amount that is not a number': "return PokerAction.RAISE, float('nan')",
    'a negative raise': 'return PokerAction.RAISE, -5',
    'an unknown action': 'return 9, 0',
    'a coroutine': 'async def later(): return PokerAction.FOLD, 0\nreturn later()',
    'a generator': 'return (x for x in [PokerAction.FOLD, 0])',
  }),
  ...at('get_action', ['timeout'], { 'a sleep': 'time.sleep(3600)', 'an endless loop': 'while True: pass' }),
  ...at('get_action', ['crash', 'memory'], {
    'an exit of the process': 'os._exit(1)',
    'a segmentation fault': 'import ctypes\nctypes.string_at(0)',
    'a deeply nested expression and an abort': "exec('(' * 90 + ')' * 90)\nos.abort()",
  }),
  // The sandbox refuses signals.
  ...at('get_action', ['crash', 'exception'], { 'a signal to itself': 'os.kill(os.getpid(), 9)' }),
  ...at('get_action', ['memory', 'exception', 'crash'], {
    'too much memory': 'self.hog = []\nwhile True: self.hog.append(bytearray(b"x" * (8 << 20)))',
  }),
  ...at('get_action', ['crash', 'timeout'], { 'a flood of output': "while True: print('x' * 100000)" }),
  ...at('get_action', ['protocol', 'crash', 'exception'], {
    'a line that is not of the protocol': "os.write(60, b'hello\\n')\nreturn PokerAction.FOLD, 0",
    'an endless line': "for _ in range(100): os.write(60, b'x' * 1000)\nreturn PokerAction.FOLD, 0",
    'a closed connection': 'os.close(60)\nreturn PokerAction.FOLD, 0',
  }),
];

const indent = (text: string, depth: number) =>
  text
    .split('\n')
    .map((line) => `${' '.repeat(depth)}${line}`)
    .join('\n');

/**
 * Returns the files of a bot that folds or checks until a hand and is broken from then on. `padding`: number of comment lines
 * before the code. `line`: the line that raises the exception; null for kinds without a marked line.
 */
export function brokenBot(
  kind: BrokenKind,
  fromHand: number,
  padding: number,
): { source: string; line: number | null } {
  const { where, code } = kind.source;
  const broken = (method: Method) =>
    where === method ? indent(`if self.hands >= ${fromHand}:\n${indent(code, 4)}`, 8) : '        pass';
  const source = `${'# a line more\n'.repeat(padding)}import os, sys, time
from bot import Bot
from type.poker_action import PokerAction


class SimplePlayer(Bot):
    def __init__(self):
        super().__init__()
        self.hands = 0
${where === '__init__' ? indent(code, 8) : ''}

    def set_id(self, player_id):
        super().set_id(player_id)
        self.hands += 1
${broken('set_id')}

    def on_start(self, *arguments):
${broken('on_start')}

    def on_round_start(self, round_state, remaining_chips):
${broken('on_round_start')}

    def get_action(self, round_state, remaining_chips):
${broken('get_action')}
        free = round_state.current_bet <= round_state.player_bets.get(str(self.id), 0)
        return (PokerAction.CHECK if free else PokerAction.FOLD), 0

    def on_end_round(self, round_state, remaining_chips):
${broken('on_end_round')}

    def on_end_game(self, round_state, score, scores, hands):
${broken('on_end_game')}


${where === 'module' ? code : ''}
`;
  const line = source.split('\n').findIndex((text) => text.includes('# here')) + 1;
  return { source, line: line === 0 ? null : line };
}
