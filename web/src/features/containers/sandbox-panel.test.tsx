// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { Container } from '../../lib/types.ts';
import { SandboxList } from './sandbox-panel.tsx';

afterEach(cleanup);

const runner = (number: number, sandbox: Container['sandbox']): Container => ({
  container_name: `runner-${number}`,
  port: 9000 + number,
  state: 'idle',
  job_id: null,
  sandbox,
});
const entries = (containers: Container[]) =>
  [...render(<SandboxList containers={containers} />).container.querySelectorAll('p')].map(
    (paragraph) => paragraph.textContent,
  );

it('groups runners with equal sandboxes', () => {
  const whole = { means: ['seccomp', 'landlock'], missing: [], lacking: [] };
  expect(entries([runner(1, whole), runner(2, { ...whole }), runner(3, null)])).toEqual([
    'runner-1, runner-2: All means In force: seccomp, landlock.',
    'runner-3: Not known yet See the log.',
  ]);
});

it('lists each absent mechanism and marks the required ones', () => {
  const weak = { means: ['limits'], missing: ['seccomp: no filter'], lacking: ['own_uid: the host is not root'] };
  expect(entries([runner(1, weak)])).toEqual([
    'runner-1: 2 absent In force: limits.',
    'Required but missing: seccomp: no filter',
    'Absent: own_uid: the host is not root',
  ]);
});

it('names the first runners of a large group and counts the others', () => {
  const whole = { means: ['seccomp'], missing: [], lacking: [] };
  const [text = ''] = entries(Array.from({ length: 1000 }, (_, index) => runner(index, whole)));
  expect(text).toContain('runner-19 and 980 more: All means');
});
