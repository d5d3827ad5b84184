// Which imports of player.py the static check names.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkFiles, root } from './check-files.ts';
import { completeBot } from './start-service.ts';

const nowhere = 'which neither Python nor requirements.txt provides';
const imports: [what: string, player: string, warnings: string[], ...packages: string[]][] = [
  [
    'of Python and of the platform',
    'import telnetlib, os.path\nfrom type.poker_action import PokerAction\nimport player',
    [],
  ],
  [
    'without a package',
    'import sklearn.svm as svm\nfrom helper import x\nimport sklearn',
    [
      `player.py imports sklearn in line 1, ${nowhere}: write scikit-learn into requirements.txt; a file of your own must be inside player.py.`,
      `player.py imports helper in line 2, ${nowhere}: write helper into requirements.txt; a file of your own must be inside player.py.`,
    ],
  ],
  [
    'that another package may bring',
    'import numpy',
    [
      `player.py imports numpy in line 1, ${nowhere}, unless another package brings it: write numpy into requirements.txt; a file of your own must be inside player.py.`,
    ],
    'pandas',
  ],
  [
    'of named packages',
    'import PIL.Image, yaml, sklearn, cv2, dateutil, stable_baselines3, google.protobuf',
    [],
    'pillow',
    'pyyaml',
    'scikit-learn',
    'opencv-python',
    'python-dateutil',
    'stable-baselines3',
    'protobuf',
  ],
  [
    'that is caught',
    'try:\n    import numba\nexcept (ImportError, OSError):\n    numba = None\nimport contextlib\nwith contextlib.suppress(ImportError):\n    import torch',
    [
      `player.py tries to import numba in line 2, ${nowhere}: to use it, write numba into requirements.txt.`,
      `player.py tries to import torch in line 7, ${nowhere}: to use it, write torch into requirements.txt.`,
    ],
  ],
  [
    'in a function, behind an error that is not caught',
    'def f():\n    try:\n        import numba\n    except KeyError: pass',
    [expect.stringContaining('imports numba in line 3, ')],
  ],
  [
    'that never run',
    'from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import numpy\nif __name__ == "__main__":\n    import matplotlib',
    [],
  ],
  [
    'relative',
    'from . import cards\nfrom .odds import x',
    [
      "player.py has a relative import in line 1, which fails: write the other file's code into player.py, which is uploaded alone.",
    ],
  ],
  [
    'of what the platform does not have',
    'import tkinter',
    ['player.py imports tkinter in line 1, which the platform does not have: do without it.'],
  ],
  [
    'of many modules',
    Array.from({ length: 12 }, (_, n) => `import m${n}`).join('\n'),
    [
      ...Array.from({ length: 10 }, (_, n) => expect.stringContaining(`imports m${n} in line ${n + 1}, `)),
      'player.py imports 2 more modules that are not provided.',
    ],
  ],
];
test.each(imports)('names imports %s', (_what, player, warnings, ...packages) => {
  const [result] = checkFiles('player', [`${player}\n${completeBot}`], packages);
  expect(result?.problem ?? result?.warnings).toEqual(warnings);
});

test('proposes the packages that the hints of the seat propose', () => {
  const folders = ['services/submission/checker', 'services/runner/seat'].map((path) => join(root, path));
  const program = `import sys; sys.path[:0] = sys.argv[1:]
import imports, re
from husky_seat import hints
assert {name: imports.PACKAGES[name][0] for name in hints._PACKAGES} == hints._PACKAGES
absent = next(hint.text for hint in hints.HINTS if "tkinter" in hint.text)
assert imports.ABSENT == set(re.findall(r"\\w{2,}", absent.partition("(")[2].partition(")")[0])), absent`;
  execFileSync('python3', ['-I', '-S', '-B', '-c', program, ...folders]);
});
