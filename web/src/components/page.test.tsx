// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { Page, Panel } from './page.tsx';

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
