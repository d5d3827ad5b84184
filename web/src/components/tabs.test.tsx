// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, it } from 'vitest';
import { Tabs } from './tabs.tsx';

afterEach(cleanup);

const TABS = ['a', 'b', 'c'].map((id) => ({ id, label: `Tab ${id}` }));

function Example() {
  const [selected, setSelected] = useState('a');
  return (
    <Tabs label="Files" tabs={TABS} selected={selected} onSelect={setSelected}>
      Content of {selected}
    </Tabs>
  );
}

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
