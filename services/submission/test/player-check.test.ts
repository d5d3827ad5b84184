// What the static check of player.py accepts, warns of and refuses.
import { expect, test } from 'vitest';
import { checkFiles } from './check-files.ts';
import { completeBot } from './start-service.ts';

const check = (files: readonly (string | Buffer)[]) => checkFiles('player', files);
const hidden = /^SimplePlayer cannot be seen in player\.py/;
const incomplete = completeBot.replace('    def on_end_game(self, *args): pass\n', '');
const methods = completeBot.split('\n').slice(2).join('\n');
const other = `class Other:\n${methods}`;
const indented = (text: string) => text.replace(/^(?=.)/gm, '    ');
const lacks = (line: number, what = 'the method on_end_game') =>
  `The class SimplePlayer in line ${line} of player.py lacks ${what}`;

const complete: [what: string, player: string][] = [
  ['a complete class', completeBot],
  ['a guarded class', `try:\n    import numpy\nexcept ImportError:\n    pass\nif True:\n${indented(completeBot)}`],
  ['a base class in the file', `${other}class SimplePlayer(Other):\n    pass\n`],
  ['an alias', `${other}SimplePlayer = Other\n`],
  ['a method that is assigned after the class', `${incomplete}SimplePlayer.on_end_game = lambda *args: None\n`],
  ['a method that is set by its name', `${incomplete}setattr(SimplePlayer, 'on_end_game', print)\n`],
  [
    'methods of a tuple',
    'class SimplePlayer:\n    on_start, on_round_start, get_action, on_end_round, on_end_game = [print] * 5\n',
  ],
  ['one complete class of two', `try:\n${indented(completeBot)}except ImportError:\n    class SimplePlayer: pass\n`],
  ['a form feed and mixed ends of lines', `\f\n${completeBot.replace('\n', '\r\n').replace('pass\n', 'pass\r')}`],
  [
    'names bound to each other many times over',
    `${Array.from({ length: 200 }, (_, n) => `x${n} = x${n + 1}\nx${n} = x${n + 1}\n`).join('')}${other.replace('Other', 'x200')}SimplePlayer = x0\n`,
  ],
];
const warned: [what: string, player: string, warning: RegExp | string][] = [
  [
    'a packed bot',
    'import base64, zlib\nexec(zlib.decompress(base64.b64decode("eJw=")))\n',
    /\(exec in line 2 may define it\), so its methods were not checked\. A test run shows/,
  ],
  ['globals()', `${other}globals()['SimplePlayer'] = Other\n`, hidden],
  ['setattr on the module', `import sys\n${other}setattr(sys.modules[__name__], 'SimplePlayer', Other)\n`, hidden],
  ['a factory', 'def make(): return object\nSimplePlayer = make()\n', hidden],
  ['a function of that name', 'def SimplePlayer(): return object()\n', hidden],
  ['type()', "SimplePlayer = type('SimplePlayer', (), {})\n", hidden],
  ['a star import', 'from treys import *\n', hidden],
  ['an import', 'from helper import SimplePlayer\n', hidden],
  ['a global statement', 'def make():\n    global SimplePlayer\n    class SimplePlayer: pass\nmake()\n', hidden],
  ['a walrus', `${other}(SimplePlayer := Other)\n`, hidden],
  ['a loop variable', `${other}for SimplePlayer in [Other]: pass\n`, hidden],
  ['__getattr__ of the module', 'def __getattr__(name): return object\n', hidden],
  ['a pickle', 'import pickle\npickle.loads(b"")\n', hidden],
  [
    'a base class of a package',
    'from somewhere import Base\nclass SimplePlayer(Base):\n    pass\n',
    lacks(2, 'the methods on_start, '),
  ],
  [
    'a decorator',
    `def add(cls):\n    return cls\n@add\n${incomplete.split('\n').slice(1).join('\n')}`,
    `${lacks(4)}, unless it comes from elsewhere. A test run`,
  ],
  [
    'a metaclass',
    'class Meta(type): pass\nclass SimplePlayer(metaclass=Meta): pass\n',
    'unless they come from elsewhere.',
  ],
  [
    '__init_subclass__',
    `class Base:\n    def __init_subclass__(cls): pass\n${incomplete.replace('(Bot)', '(Base)')}`,
    lacks(4),
  ],
  [
    'setattr in a loop',
    `${incomplete}for name in ['on_end_game']: setattr(SimplePlayer, name, print)\n`,
    '(setattr in line 7 may define it)',
  ],
  ['exec in the class', `${incomplete}    exec('def on_end_game(*args): pass')\n`, lacks(2)],
];
test(`accepts ${complete.length} complete bots without, and ${warned.length} others with a warning`, () => {
  const packages = ['helper', 'numpy', 'somewhere', 'treys'];
  const results = checkFiles(
    'player',
    [...complete, ...warned].map(([, player]) => player),
    packages,
  );
  expect(
    results.map(({ warnings, problem }, index) => [[...complete, ...warned][index]?.[0], problem ?? warnings]),
  ).toEqual([
    ...complete.map(([what]) => [what, []]),
    ...warned.map(([what, , text]) => [
      what,
      [typeof text === 'string' ? expect.stringContaining(text) : expect.stringMatching(text)],
    ]),
  ]);
});

const syntax = (line: number, message: string, version = '') =>
  `player.py has a syntax error in line ${line}: ${message}. The runners run Python 3.11${version}`;
const refused: [what: string, player: string | Buffer, problem: string][] = [
  ['an empty file', '', 'player.py is empty.'],
  ['another program', 'import re\nre.compile("x")\n', 'player.py has no class SimplePlayer at module level.'],
  ['an annotation', 'SimplePlayer: type\n', 'player.py has no class SimplePlayer at module level.'],
  ['a missing method', incomplete, `${lacks(2)}.`],
  ['a missing method besides common names', `import re\nre.compile('x')\n${incomplete}`, `${lacks(4)}.`],
  [
    'an abstract method',
    completeBot.replace('    def on_end_game', '    @abstractmethod\n    def on_end_game'),
    `${lacks(2)}.`,
  ],
  [
    'bases without methods',
    'from abc import ABC, ABCMeta\nclass A: pass\nclass SimplePlayer(A, ABC, metaclass=ABCMeta): pass\n',
    lacks(3, 'the methods'),
  ],
  ['a syntax error', 'def f(:\n  pass\n', syntax(1, 'invalid syntax', '.')],
  ['an error of the compiler', 'x = 1\nreturn 1\n', syntax(2, "'return' outside function", '.')],
  ['Python 2', 'print "x"\n', syntax(1, "Missing parentheses in call to 'print'. Did you mean print(...)?", '.')],
  [
    'a nested quote in an f-string',
    'x = f"{a["b"]}"\n',
    syntax(1, "f-string: unmatched '['", '; this is syntax of Python 3.12: quotes'),
  ],
  [
    'an f-string in an f-string',
    "x = f'{f'{1}'}'\n",
    syntax(1, "f-string: expecting '}'", '; this is syntax of Python 3.12: quotes'),
  ],
  [
    'a backslash in an f-string',
    'x = f\'{"\\n".join(a)}\'\n',
    syntax(1, 'f-string expression part cannot include a backslash', '; this is syntax of Python 3.12'),
  ],
  ['an f-string without its end', 'x = f"{a"\n', syntax(1, "f-string: expecting '}'", '.')],
  [
    'a type statement',
    '\ntype Card = str\n',
    syntax(2, 'invalid syntax', '; this is syntax of Python 3.12: the statement type.'),
  ],
  [
    'a generic type',
    'type Cards[T] = list[T]\n',
    syntax(1, 'invalid syntax', '; this is syntax of Python 3.12: type parameters.'),
  ],
  ['a generic function', 'async def f[T](x: T): pass\n', syntax(1, "expected '('", '; this is syntax of Python 3.12')],
  ['a generic class', 'class A[T]: pass\n', syntax(1, 'invalid syntax', '; this is syntax of Python 3.12')],
  ['a default type', 'class A[T = int]: pass\n', syntax(1, 'invalid syntax', '; this is syntax of Python 3.13')],
  ['a t-string', "x = t'{a}'\n", syntax(1, 'invalid syntax', '; this is syntax of Python 3.14: a t-string.')],
  ['a raw t-string', 'x = f(RT"{a}")\n', 'this is syntax of Python 3.14: a t-string.'],
  [
    'except without brackets',
    'try:\n  pass\nexcept A, B:\n  pass\n',
    syntax(3, 'multiple exception types must be parenthesized', '; this is syntax of Python 3.14'),
  ],
  ['a lazy import', 'lazy import json\n', 'this is syntax of Python 3.15: a lazy import.'],
  ['unpacking in a comprehension', 'x = [*y for y in z]\n', 'this is syntax of Python 3.15'],
];
test(`refuses ${refused.length} files that cannot be a bot, naming the line and the runners' Python`, () => {
  const results = check(refused.map(([, player]) => player));
  expect(results.map(({ problem }, index) => [refused[index]?.[0], problem])).toEqual(
    refused.map(([what, , problem]) => [what, expect.stringContaining(problem)]),
  );
});

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const readable: [what: string, player: string | Buffer][] = [
  ['a byte order mark of UTF-8', `\ufeff${completeBot}`],
  ['utf-8-sig', `# coding: utf-8-sig\n# é\n${completeBot}`],
  ['Emacs', `# -*- coding: utf-8-unix -*-\n# é\n${completeBot}`],
  ['latin-1', latin1(`# -*- coding: latin-1 -*-\n# Andr\xe9\n${completeBot}`)],
  ['vim, second line', latin1(`#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\n# \x80\n${completeBot}`)],
  ['behind a comment in the same encoding', latin1(`# Andr\xe9\n# coding: iso-8859-15\n${completeBot}`)],
  ['carriage returns', latin1(`# coding: latin-1\r# \xe9\r${completeBot.replaceAll('\n', '\r')}`)],
  ['gb18030', Buffer.concat([latin1('# coding: gb18030\n# \xc4\xe3\xba\xc3\n'), Buffer.from(completeBot)])],
  ['shift_jis', Buffer.concat([latin1('# coding: shift_jis\nx = "\x95\x5c"\n'), Buffer.from(completeBot)])],
];
const unreadable: [what: string, player: string | Buffer, problem: string][] = [
  [
    'latin-1 without a line',
    latin1(`x = 1\r\ny = 2\r# Andr\xe9\n`),
    'Line 3 of player.py is not text in UTF-8: the byte 0xe9 at position 7 (offset 19 of the file).',
  ],
  [
    'a bad byte',
    latin1('# coding: ascii\n# \xe9\n'),
    'Line 2 of player.py is not text in ascii: the byte 0xe9 at position 3 (offset 18 of the file).',
  ],
  ['half a character', latin1('# coding: euc_jp\n# \x8e'), 'Line 2 of player.py is not text in euc_jp: the byte 0x8e'],
  ['a line too late', latin1('x = 1\n# coding: latin-1\n# \xe9\n'), 'Line 3 of player.py is not text in UTF-8'],
  [
    'UTF-16',
    Buffer.from('\ufeffx = 1\n', 'utf16le'),
    'player.py is encoded in UTF-16, which Python cannot read. Save it as UTF-8.',
  ],
  [
    'UTF-16 without a mark',
    Buffer.from('x = 1\n', 'utf16le'),
    'player.py seems to be encoded in UTF-16 without a byte order mark.',
  ],
  [
    'UTF-32',
    Buffer.from([0xff, 0xfe, 0, 0, 0x78, 0, 0, 0]),
    'player.py is encoded in UTF-32, which Python cannot read.',
  ],
  ['a null byte', 'x = 1\ny = "\0"\n', 'player.py contains a null byte in line 2.'],
  [
    'utf-16 by name',
    '# coding: utf-16\n',
    'Line 1 of player.py declares the encoding utf-16, which is not accepted. Save it as UTF-8.',
  ],
  [
    'an unknown name',
    '\n# coding: nope\n',
    'Line 2 of player.py declares the encoding nope, which Python does not know.',
  ],
  [
    'no encoding of text',
    '# coding: rot13\n',
    'Line 1 of player.py declares the encoding rot13, which is not accepted.',
  ],
  [
    'two encodings',
    '\ufeff# coding: latin-1\n',
    'declares the encoding latin-1, which Python refuses behind the byte order mark of UTF-8.',
  ],
];
test(`accepts ${readable.length} files in encodings that Python reads, and refuses ${unreadable.length} others by the name of the encoding`, () => {
  const results = check([...readable, ...unreadable].map(([, player]) => player));
  expect(
    results.map(({ warnings, problem }, index) => [[...readable, ...unreadable][index]?.[0], problem ?? warnings]),
  ).toEqual([
    ...readable.map(([what]) => [what, []]),
    ...unreadable.map(([what, , problem]) => [what, expect.stringContaining(problem)]),
  ]);
});

test('counts lines, words and characters of any alphabet to exactly the documented limits', () => {
  const lines = (count: number) => `${completeBot}${'\n'.repeat(count - completeBot.split('\n').length + 1)}`;
  const words = (count: number) => `${completeBot}x = [${'1,'.repeat(count)}]\n`;
  const functions = (count: number) => `${completeBot}${'def f(): 0\n'.repeat(count - 6)}`;
  const [used = 0] = check([words(200_000)]).map(({ problem }) =>
    Number(/has ([\d,]+) words/.exec(problem ?? '')?.[1]?.replaceAll(',', '')),
  );
  const rest = used - 400_000;
  const results = check([
    lines(50_000),
    lines(50_001),
    words((250_000 - rest) / 2 - 1),
    words((250_000 - rest) / 2 + 1),
    functions(4000),
    functions(4001),
    `# ${'你'.repeat(200_000)}\n${completeBot}`,
  ]);
  expect(results.map(({ warnings, problem }) => problem ?? warnings)).toEqual([
    [],
    'player.py has 50,001 lines; at most 50,000 are allowed.',
    [],
    expect.stringContaining('at most 250,000 are allowed.'),
    [],
    'player.py defines more than 4,000 functions, classes, lambdas and comprehensions.',
    [],
  ]);
});
