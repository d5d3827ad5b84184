import { expect, test } from 'vitest';
import { refuseOtherHashes, resolvedList } from './lock.ts';

const [a, b] = ['a'.repeat(64), 'b'.repeat(64)];
const wheel = (name: string, sha256: string) =>
  `[[packages]]\nname = "${name}"\nversion = "1.0"\nwheels = [{ url = "https://index/${name}-1.0%2Bx-py3-none-any.whl", hashes = { sha256 = "${sha256}" } }]\n`;
const lock = `lock-version = "1.0"\n\n${wheel('two', b)}\n${wheel('one', a)}`;

test('lists the wheels of a lock by name', () => {
  expect(resolvedList(lock)).toBe(`one==1.0 one-1.0+x-py3-none-any.whl ${a}\ntwo==1.0 two-1.0+x-py3-none-any.whl ${b}`);
});

test.each([
  [['one'], undefined],
  [[`one==1.0 --hash=sha256:${b} --hash=sha256:${a}`], undefined],
  [[`one[x]==1.0 --hash=sha256:${b}`, `one==1.0 --hash=sha256:${a}`], undefined],
  [['--require-hashes', `one==1.0 --hash=sha256:${a}`, `two==1.0 --hash=sha256:${b}`], undefined],
  [
    [`one[x]==1.0 --hash=sha256:${b}`],
    /^The wheel one-1\.0\+x-py3-none-any\.whl has the hash sha256:a+, which is none of those for one/,
  ],
  [['--require-hashes', `one==1.0 --hash=sha256:${a}`], /has none for two==1\.0, which other packages need\.$/],
])('compares the hashes of %j with those of the wheels', (lines, problem) => {
  const compare = () => refuseOtherHashes(lines, lock);
  if (problem === undefined) expect(compare).not.toThrow();
  else expect(compare).toThrow(problem);
});
