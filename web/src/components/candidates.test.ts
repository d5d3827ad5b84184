import { describe, expect, it } from 'vitest';
import { arrangeCandidates, toggleCandidate } from './candidates.ts';

const people = [
  { username: 'zoe', hasFinal: true },
  { username: 'Ann', hasFinal: false },
  { username: 'bob', hasFinal: true },
];
const names = (list: { username: string }[]) => list.map((entry) => entry.username);

describe('the picker of participants', () => {
  it('sorts by final submission, then by name', () => {
    expect(names(arrangeCandidates(people, '', 'final-first'))).toEqual(['bob', 'zoe', 'Ann']);
    expect(names(arrangeCandidates(people, '', 'final-last'))).toEqual(['Ann', 'bob', 'zoe']);
    expect(names(arrangeCandidates(people, '', 'name'))).toEqual(['Ann', 'bob', 'zoe']);
  });
  it('searches case-insensitively', () => expect(names(arrangeCandidates(people, ' AN ', 'name'))).toEqual(['Ann']));
  it('selects and deselects, and ignores a selection beyond the limit', () => {
    expect(toggleCandidate(['a'], 'b', 2)).toEqual(['a', 'b']);
    expect(toggleCandidate(['a', 'b'], 'c', 2)).toEqual(['a', 'b']);
    expect(toggleCandidate(['a', 'b'], 'a', 2)).toEqual(['b']);
  });
});
