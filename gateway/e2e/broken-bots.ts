/** Causes that the status of a broken bot's test run can show. */
export type Cause =
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
  /** The correct causes. */
  readonly causes: readonly Cause[];
}

/** The broken statements and where they are in the bot. `# here` marks the line that the reported exception must name. */
interface Source {
  readonly where: 'module' | '__init__' | Method;
  readonly code: string;
}

type Method = 'set_id' | 'on_start' | 'on_round_start' | 'get_action' | 'on_end_round' | 'on_end_game';

const callbacks = ['set_id', 'on_start', 'on_round_start', 'on_end_round', 'on_end_game'] as const;

const breakIn = (where: Source['where'], causes: readonly Cause[], codes: Readonly<Record<string, string>>) =>
  Object.entries(codes).map(
    ([name, code]): BrokenKind => ({ name: `${where}: ${name}`, source: { where, code }, causes }),
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
  ...breakIn('module', ['refused'], { 'a syntax error': 'def (' }),
  ...breakIn('module', ['startup', 'refused'], {
    ...exceptions,
    'an exit of the process': 'os._exit(3)',
    'a sleep': 'time.sleep(3600)',
    'an endless loop': 'while True: pass',
    'too much memory': 'hog = [bytes(1 << 20) for _ in range(4000)]',
    'no class': 'SimplePlayer = None',
  }),
  ...breakIn('__init__', ['startup', 'refused'], { ...exceptions, 'an exit of the process': 'os._exit(0)' }),
  ...callbacks.flatMap((method) => [
    ...breakIn(method, ['call'], exceptions),
    ...breakIn(method, ['crash'], { 'an exit of the process': 'os._exit(0)' }),
    ...breakIn(method, ['timeout'], { 'a sleep': 'time.sleep(3600)', 'an endless loop': 'while True: pass' }),
  ]),
  ...breakIn('get_action', ['exception'], {
    ...exceptions,
    'an infinite recursion': 'def deep(): return deep()\ndeep()',
    'a failed assertion': 'assert False, "never"  # here',
    'an exception whose text cannot be read':
      "raise type('Mute', (Exception,), {'__str__': lambda self: 1 / 0})  # here",
  }),
  ...breakIn('get_action', ['illegal', 'exception'], {
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
  ...breakIn('get_action', ['timeout'], { 'a sleep': 'time.sleep(3600)', 'an endless loop': 'while True: pass' }),
  ...breakIn('get_action', ['crash', 'memory'], {
    'an exit of the process': 'os._exit(1)',
    'a segmentation fault': 'import ctypes\nctypes.string_at(0)',
    'a deeply nested expression and an abort': "exec('(' * 90 + ')' * 90)\nos.abort()",
  }),
  // The sandbox refuses signals.
  ...breakIn('get_action', ['crash', 'exception'], { 'a signal to itself': 'os.kill(os.getpid(), 9)' }),
  ...breakIn('get_action', ['memory', 'exception', 'crash'], {
    'too much memory': 'self.hog = []\nwhile True: self.hog.append(bytearray(b"x" * (8 << 20)))',
  }),
  ...breakIn('get_action', ['crash', 'timeout'], { 'a flood of output': "while True: print('x' * 100000)" }),
  ...breakIn('get_action', ['protocol', 'crash', 'exception'], {
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
 * Returns the source of a bot that checks or folds and is broken from a hand on. `padding`: number of comment lines before the code.
 * `line`: the line that raises the exception; null for kinds without a marked line.
 */
export function createBrokenBot(
  kind: BrokenKind,
  fromHand: number,
  padding: number,
): { source: string; line: number | null } {
  const { where, code } = kind.source;
  const bodyOf = (method: Method) =>
    where === method ? indent(`if self.hands >= ${fromHand}:\n${indent(code, 4)}`, 8) : '        pass';
  const source = `${'# padding\n'.repeat(padding)}import os, sys, time
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
${bodyOf('set_id')}

    def on_start(self, *arguments):
${bodyOf('on_start')}

    def on_round_start(self, round_state, remaining_chips):
${bodyOf('on_round_start')}

    def get_action(self, round_state, remaining_chips):
${bodyOf('get_action')}
        free = round_state.current_bet <= round_state.player_bets.get(str(self.id), 0)
        return (PokerAction.CHECK if free else PokerAction.FOLD), 0

    def on_end_round(self, round_state, remaining_chips):
${bodyOf('on_end_round')}

    def on_end_game(self, round_state, score, scores, hands):
${bodyOf('on_end_game')}


${where === 'module' ? code : ''}
`;
  const line = source.split('\n').findIndex((text) => text.includes('# here')) + 1;
  return { source, line: line === 0 ? null : line };
}
