// @vitest-environment happy-dom

import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { renderInApp } from '../dev/render-in-app.tsx';
import { ApiError } from '../lib/api-error.ts';
import { formatCitation } from './citation-formats.tsx';
import { CopyButton } from './copy-button.tsx';
import { Doc } from './doc.tsx';
import { ErrorBox, QueryState } from './feedback.tsx';
import { type CardMatch, MatchCards } from './match-card.tsx';
import { Page, Panel } from './page.tsx';
import { RankedEntries } from './ranked-entries.tsx';
import { Tabs } from './tabs.tsx';

describe('citation formats', () => {
  const url = 'https://play.example.org/batches/3?snapshot=12-0123456789abcdef';
  const hash = '0123456789abcdef'.repeat(4);
  const item = {
    id: 'husky_holdem_batches_3_12_0123456789abcdef',
    type: 'dataset' as const,
    title: "Husky Hold'em Bench: Batch 3",
    author: [{ literal: "Husky Hold'em Bench team" }],
    publisher: "Husky Hold'em Bench",
    issued: { 'date-parts': [[2026, 11, 27]] },
    version: 'methodology version 2',
    URL: url,
    note: `12 matches, 12,000 hands; methodology version 2; SHA-256 ${hash}`,
  };

  it('cites a data set with address, dates, methodology version and hash', () => {
    const { bibtex, apa, csl } = formatCitation(item, new Date(2026, 10, 28));
    for (const part of [
      `@misc{${item.id},`,
      "author = {{Husky Hold'em Bench team}}",
      'title = ',
      '2026',
      hash,
      url,
      'methodology version 2',
    ])
      expect(bibtex).toContain(part);
    expect(apa).toBe(
      `Husky Hold'em Bench team. (2026). Husky Hold'em Bench: Batch 3 (methodology version 2) [Data set]. Husky Hold'em Bench. Retrieved November 28, 2026, from ${url}`,
    );
    expect(JSON.parse(csl)).toEqual([{ ...item, accessed: { 'date-parts': [[2026, 11, 28]] } }]);
  });
});

describe('copy button', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => {
    cleanup();
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  const pressCopy = () => act(async () => void fireEvent.click(screen.getByRole('button')));

  it('copies the text and shows it for two seconds', async () => {
    const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    render(<CopyButton text="job-1" label="Copy job ID" />);
    await pressCopy();
    expect(writeText).toHaveBeenCalledWith('job-1');
    expect(screen.getByRole('button').textContent).toBe('Copied');
    expect(screen.getByRole('status').textContent).toBe('Copied');
    act(() => void vi.advanceTimersByTime(2_000));
    expect(screen.getByRole('button').textContent).toBe('Copy job ID');
  });

  it('keeps its label if the browser refuses to copy, and logs it', async () => {
    const log = vi.spyOn(console, 'warn').mockReturnValue();
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('denied'));
    Object.assign(document, { execCommand: () => false });
    render(<CopyButton text="job-1" label="Copy job ID" iconOnly />);
    await pressCopy();
    expect(screen.getByRole('button', { name: 'Copy job ID' }).getAttribute('title')).toBe('Copy job ID');
    expect(screen.getByRole('status').textContent).toBe('');
    expect(log).toHaveBeenCalledWith('Copying to the clipboard failed: denied');
  });
});

describe('doc', () => {
  afterEach(cleanup);

  it('shows a document without its title, and links its parts', async () => {
    const source = '# Bots\n\n## The *interface*\n\nCall `act`.\n';
    const { container } = renderInApp(<Doc name="bots" load={async () => source} />);
    const contents = within(await screen.findByRole('navigation', { name: 'Contents' }));
    expect(contents.getByRole('link', { name: 'The interface' }).getAttribute('href')).toBe('#the-interface');
    expect(container.querySelector('article')?.innerHTML).toContain('<code>act</code>');
    expect(container.querySelector('h1')).toBeNull();
  });

  it('shows an error if the document cannot be loaded', async () => {
    renderInApp(<Doc name="none" load={() => Promise.reject(new Error('no chunk'))} />);
    expect((await screen.findByRole('alert')).textContent).toContain('could not be loaded');
  });
});

describe('feedback', () => {
  afterEach(cleanup);

  it('is absent without a text', () => {
    expect(render(<ErrorBox text="" onRetry={() => undefined} />).container.innerHTML).toBe('');
  });

  it('shows an error with a button that retries', () => {
    const onRetry = vi.fn();
    render(<ErrorBox text="Failed." onRetry={onRetry} />);
    fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(screen.getByRole('alert').textContent).toContain('Failed.');
    expect(onRetry).toHaveBeenCalledOnce();
  });

  it('shows that a query loads, why it failed, and nothing once it has data', () => {
    const refetch = vi.fn();
    const query = { isPending: false, isError: false, error: null, refetch };
    const { rerender, container } = render(<QueryState what="the profile" query={{ ...query, isPending: true }} />);
    expect(screen.getByRole('status').textContent).toBe('Loading...');
    const error = new ApiError({ status: 503, detail: 'Please try again.' });
    rerender(<QueryState what="the profile" query={{ ...query, isError: true, error }} padded />);
    expect(screen.getByRole('alert').textContent).toContain('Failed to load the profile. Please try again.');
    expect(container.firstElementChild?.className).toBe('panel-body');
    fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(refetch).toHaveBeenCalledOnce();
    rerender(<QueryState what="the profile" query={query} />);
    expect(container.innerHTML).toBe('');
  });
});

describe('match card', () => {
  afterEach(cleanup);

  const match: CardMatch = {
    job_id: 'j',
    batch_number: 3,
    batch_is_public: true,
    game_number: 7,
    players: ['ann', 'ben'],
    status: 'Finished',
    winner: 'ann',
    winner_delta: 1_204,
    hands: 1_000,
    end_reason: null,
    first_game_created_at: '2026-11-22T10:00:00Z',
  };
  const links = () => screen.getAllByRole('link').map((link) => link.getAttribute('href'));

  it('shows who won and how the match ended, and links match and batch', () => {
    const { container } = renderInApp(<MatchCards matches={[match]} />);
    expect(container.textContent).toContain('ann won +1,204');
    expect(container.textContent).toContain('1,000 hands, all played');
    expect(screen.queryByText('LIVE')).toBeNull();
    expect(links()).toEqual(['/games/j?gameNumber=7', '/batches/3']);
  });

  it('marks a match in play, and does not link a private batch', () => {
    renderInApp(<MatchCards matches={[{ ...match, status: 'Running', batch_is_public: false }]} />);
    expect(screen.getByText('LIVE')).toBeTruthy();
    expect(screen.getByText('ann leads with +1,204')).toBeTruthy();
    expect(links()).toEqual(['/games/j?gameNumber=7']);
  });
});

describe('page', () => {
  afterEach(cleanup);

  it("sets the tab's title to the heading, or to its own text", () => {
    const { rerender } = render(<Page title="Games">{null}</Page>);
    expect(document.title).toBe("Games · Husky Hold'em Bench");
    rerender(
      <Page title={<b>ann</b>} tabTitle="Profile of ann">
        {null}
      </Page>,
    );
    expect(document.title).toBe("Profile of ann · Husky Hold'em Bench");
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('ann');
    rerender(<Page title={<b>ann</b>}>{null}</Page>);
    expect(document.title).toBe("Husky Hold'em Bench");
  });

  it('names a panel by its title', () => {
    render(<Panel title="Matches">none</Panel>);
    expect(screen.getByRole('region', { name: 'Matches' }).textContent).toBe('Matchesnone');
  });
});

describe('ranked entries', () => {
  afterEach(cleanup);

  const entries = [
    { id: '1', username: 'ann', score: 1_204.5, tag: '2025', note: '12 matches' },
    { id: '2', username: 'b c', score: -3, tag: 'cup' },
  ];
  const ranked = entries.map((entry, at) => ({ ...entry, rank: 101 + at }));
  const rows = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent);

  it('shows the ranks, marks the own one and links the profiles', () => {
    renderInApp(<RankedEntries label="Board" entries={ranked} currentUser="b c" />);
    expect(rows()).toEqual(['#101ann+1,204.5Delta Money12 matches', '#102b c (You)-3Delta Money']);
    expect(screen.getByRole('listitem', { current: true }).textContent).toContain('b c');
    expect(screen.getByRole('link', { name: 'b c' }).getAttribute('href')).toBe('/profile/b%20c');
  });

  it('shows tags and actions on request, and the first ranks as pictures with a text', () => {
    const actions = ({ id }: { id: string }) => <button type="button">Delete {id}</button>;
    renderInApp(<RankedEntries label="Board" entries={entries} currentUser={null} showTag actions={actions} />);
    expect(rows()[0]).toBe('#1ann2025+1,204.5Delta Money12 matchesDelete 1');
    expect(screen.getByTitle('Rank 2')).toBeTruthy();
  });

  it('gives equal scores the same rank and picture, whatever the names', () => {
    const tied = ['zoe', 'ann', 'bob', 'cat'].map((username, at) => ({
      id: username,
      username,
      score: [9, 9, 5, 5][at] ?? 0,
    }));
    renderInApp(<RankedEntries label="Board" entries={tied} currentUser={null} />);
    expect(screen.getAllByTitle('Rank 1')).toHaveLength(2);
    expect(screen.getAllByTitle('Rank 3')).toHaveLength(2);
  });
});

const TABS = ['a', 'b', 'c'].map((id) => ({ id, label: `Tab ${id}` }));

function Example() {
  const [selected, setSelected] = useState('a');
  return (
    <Tabs label="Files" tabs={TABS} selected={selected} onSelect={setSelected}>
      Content of {selected}
    </Tabs>
  );
}

describe('tabs', () => {
  afterEach(cleanup);

  const selectedTab = () => screen.getByRole('tab', { selected: true });

  it('shows the panel of the selected tab, labelled by it', () => {
    render(<Example />);
    fireEvent.click(screen.getByRole('tab', { name: 'Tab b' }));
    expect(screen.getByRole('tabpanel', { name: 'Tab b' }).textContent).toBe('Content of b');
  });

  it('moves selection and focus with arrow keys, Home and End, around the ends', () => {
    render(<Example />);
    const moves = ['ArrowLeft', 'ArrowRight', 'End', 'Home', 'ArrowRight'].map((key) => {
      fireEvent.keyDown(selectedTab(), { key });
      expect(document.activeElement).toBe(selectedTab());
      return selectedTab().textContent;
    });
    expect(moves).toEqual(['Tab c', 'Tab a', 'Tab c', 'Tab a', 'Tab b']);
  });

  it('has one tab stop', () => {
    render(<Example />);
    expect(screen.getAllByRole('tab').map(({ tabIndex }) => tabIndex)).toEqual([0, -1, -1]);
  });
});
