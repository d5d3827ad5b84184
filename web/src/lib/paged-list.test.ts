import { describe, expect, it } from 'vitest';
import { pageWindow, rangeText } from './paged-list.ts';

describe('the page buttons', () => {
  it('are empty without pages', () => expect(pageWindow(1, 0)).toEqual([]));
  it('contain all pages if there are at most five', () => expect(pageWindow(2, 5)).toEqual([1, 2, 3, 4, 5]));
  it('are five, including the current page', () => {
    expect(pageWindow(1, 20)).toEqual([1, 2, 3, 4, 5]);
    expect(pageWindow(10, 20)).toEqual([8, 9, 10, 11, 12]);
    expect(pageWindow(20, 20)).toEqual([16, 17, 18, 19, 20]);
    expect(pageWindow(4, 7)).toEqual([2, 3, 4, 5, 6]);
  });
  it('are clamped for a page out of range', () => {
    expect(pageWindow(99, 3)).toEqual([1, 2, 3]);
    expect(pageWindow(-1, 3)).toEqual([1, 2, 3]);
  });
});

describe("the range 'a-b of N'", () => {
  it('has the rows of a page', () => {
    expect(rangeText(1, 25, 137)).toBe('1-25 of 137');
    expect(rangeText(6, 25, 137)).toBe('126-137 of 137');
    expect(rangeText(1, 25, 0)).toBe('0-0 of 0');
  });
});
