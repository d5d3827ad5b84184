import { Marked } from 'marked';
import { describe, expect, it, test } from 'vitest';
import source from '../../../docs/methodology.md?raw';
import { secondsLeft } from './cooldown.ts';
import { csvText } from './download.ts';
import { instantOf, wallTime } from './event-zone.ts';
import { deltaClass, formatBytes, formatDelta, parseTime } from './format.ts';
import { pageWindow, rangeText } from './paged-list.ts';
import { formulaExtension, headingId } from './render-markdown.ts';
import { renderMath } from './render-math.ts';
import { githubUrl, profileStats } from './scores.ts';

describe('cooldown', () => {
  describe('the seconds left of a cooldown', () => {
    it('are 0 if none was started', () => expect(secondsLeft(null, 1_000, 60)).toBe(0));
    it('are rounded up', () => expect(secondsLeft(30_001, 0, 60)).toBe(31));
    it('are 0 at the end', () => {
      expect(secondsLeft(30_000, 29_999, 60)).toBe(1);
      expect(secondsLeft(30_000, 30_000, 60)).toBe(0);
      expect(secondsLeft(30_000, 99_000, 60)).toBe(0);
    });
    it('never exceed the limit, even if the clock was set back', () => expect(secondsLeft(9e12, 0, 60)).toBe(60));
    it('are 0 if the storage is corrupt', () => expect(secondsLeft(Number('x'), 0, 60)).toBe(0));
  });
});

describe('download', () => {
  test('cells with commas and quotes are quoted, formulas get an apostrophe, numbers stay numbers, null is empty', () => {
    expect(csvText([['a,b', 'say "hi"', '=1+1', -2.5, null]])).toBe('"a,b","say ""hi""",\'=1+1,-2.5,\n');
    expect(csvText([['-1+1', '-x|y', '@a', '\t']])).toBe("'-1+1,'-x|y,'@a,'\t\n");
  });

  test('usernames keep their form', () => {
    expect(csvText([['-1-1', '--', '-A_b', 'ann']])).toBe('-1-1,--,-A_b,ann\n');
  });
});

describe('event zone', () => {
  it.each([
    ['2025-07-21T23:59:59', '2025-07-22T06:59:59.000Z'],
    ['2025-01-01T00:00', '2025-01-01T08:00:00.000Z'],
    // The first hour after the clocks change, and the hour that they repeat, which is the earlier one.
    ['2025-03-09T03:00', '2025-03-09T10:00:00.000Z'],
    ['2025-11-02T01:30', '2025-11-02T08:30:00.000Z'],
    ['', ''],
    ['0202-07-01T10:00', ''],
  ])('takes %j in Pacific time for %j', (wall, instant) => {
    expect(instantOf(wall)).toBe(instant);
    expect(wallTime(instant)).toBe(instant && wall);
  });

  it('takes a time that the clocks skip for one an hour earlier', () => {
    expect(wallTime(instantOf('2025-03-09T02:30'))).toBe('2025-03-09T01:30');
  });
});

describe('format', () => {
  describe('figures', () => {
    it('have a sign and a colour', () => {
      expect([formatDelta(1234.5), formatDelta(-50), formatDelta(0)]).toEqual(['+1,234.5', '-50', '0']);
      expect([deltaClass(1), deltaClass(-1), deltaClass(0)]).toEqual(['positive', 'negative', 'neutral']);
    });
    it('have binary units for sizes', () => {
      expect([formatBytes(512), formatBytes(1536), formatBytes(1024 * 1024)]).toEqual(['512 B', '1.5 KiB', '1 MiB']);
    });
  });

  describe('times', () => {
    it('without a zone are in UTC', () => {
      expect(parseTime('2025-07-12T00:00:00')).toBe(Date.UTC(2025, 6, 12));
      expect(parseTime('2025-07-12T00:00:00-07:00')).toBe(Date.UTC(2025, 6, 12, 7));
    });
    it('are null if they are invalid', () => {
      expect([parseTime(null), parseTime(''), parseTime('soon')]).toEqual([null, null, null]);
    });
  });
});

describe('paged list', () => {
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
});

describe('render markdown', () => {
  it('gives every heading a unique id', () => {
    const taken = new Set<string>();
    expect(['The rules', 'The `rules`!', '???', 'requirements.txt'].map((text) => headingId(text, taken))).toEqual([
      'the-rules',
      'the-rules-1',
      'part',
      'requirementstxt',
    ]);
  });

  it('renders formulas as MathML, and leaves amounts of dollars alone', () => {
    const marked = new Marked(formulaExtension(renderMath));
    const html = marked.parse('With $a_i < b$ chips of $5 and $10:\n\n```math\n\\sum_k \\hat e_k\n```\n') as string;
    expect(html).toContain('<msub><mi>a</mi><mi>i</mi></msub><mo>&lt;</mo><mi>b</mi>');
    expect(html).toContain('chips of $5 and $10:');
    expect(html).toMatch(/<div class="doc-formula" tabindex="0"><span class="katex"><math[^>]* display="block"/);
    expect(html).not.toContain('annotation');
    expect(() => renderMath('\\left(', true)).toThrow();
  });

  it('renders every formula of docs/methodology.md', () => {
    const html = new Marked(formulaExtension(renderMath)).parse(source) as string;
    expect(html.match(/<math/g)?.length).toBeGreaterThan(10);
    expect(html.replaceAll(/<(pre|code)[^>]*>.*?<\/\1>/gs, '')).not.toMatch(/\\[a-z]/);
  });
});

describe('scores', () => {
  const entry = (id: string, score: number, time: string) => ({
    id,
    username: 'ann',
    score,
    tag: '2025',
    time_created: time,
  });

  describe('the statistics of a profile', () => {
    it('are empty without entries', () => {
      expect(profileStats([])).toEqual({ count: 0, best: null, latest: null, lastAt: null, recent: [] });
    });
    it('are sorted by time for entries in any order', () => {
      const stats = profileStats([
        entry('a', 10, '2025-07-01T00:00:00Z'),
        entry('c', -7, '2025-07-03T00:00:00Z'),
        entry('b', 99, '2025-07-02T00:00:00Z'),
      ]);
      expect(stats).toMatchObject({ count: 3, best: 99, latest: -7, lastAt: '2025-07-03T00:00:00Z' });
      expect(stats.recent.map((row) => row.id)).toEqual(['c', 'b', 'a']);
    });
  });

  describe('the link to GitHub', () => {
    it('accepts a name, an @name or a URL', () => {
      for (const text of ['octocat', '@octocat', 'github.com/octocat', 'https://www.github.com/octocat/']) {
        expect(githubUrl(text)).toBe('https://github.com/octocat');
      }
    });
    it('is null if it would lead to another site', () => {
      for (const text of [null, '', 'javascript:alert(1)', 'https://evil.example/x', 'a/b', '<b>']) {
        expect(githubUrl(text)).toBeNull();
      }
    });
  });
});
