import { describe, expect, it } from 'vitest';
import { diffTexts } from '../components/diff-view.tsx';

describe('the diff of two submissions', () => {
  it('is empty for equal texts with different line ends', () => expect(diffTexts('a\nb\n', 'a\r\nb\r\n')).toEqual([]));
  it('marks removed and added lines', () => {
    const lines = diffTexts('a\nb\nc\n', 'a\nB\nc\n');
    expect(lines.map((line) => line.kind)).toEqual(['skip', 'same', 'removed', 'added', 'same']);
    expect(lines[2]?.text).toBe('b');
  });
  it('ignores a missing newline at the end', () => {
    expect(diffTexts('a', 'b').map((line) => line.text)).toEqual(['@@ line 1 → line 1 @@', 'a', 'b']);
  });
});
