import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { coresBetween, nameLimit, type Sample } from './processor-time.ts';
import type { Profile } from './settings.ts';

interface Step {
  readonly asked: number;
  readonly seconds: number;
  readonly requestsPerSecond: number;
  readonly refused: number;
  readonly failed: number;
  readonly p99Ms?: number;
}

interface Summary {
  readonly durationMs: number;
  readonly startedMs: number;
  readonly steps: readonly Step[];
}

const objectiveMs = 250;

/** Whether the platform answered a step's load within its objective: nothing failed or refused, and the rate was reached. */
export const holds = ({ asked, requestsPerSecond, refused, failed, p99Ms = Infinity }: Step): boolean =>
  refused === 0 && failed === 0 && p99Ms < objectiveMs && requestsPerSecond >= 0.9 * asked;

/**
 * Returns the processors that each part used in each step and, for the profile stress, the knee: the first step that does not
 * hold, with the part that limits it. Adds both to the summary.
 */
export function reportSteps(file: string, samples: readonly Sample[], profile: Profile): string {
  if (!existsSync(file) || samples.length === 0) return '';
  const summary = JSON.parse(readFileSync(file, 'utf8')) as Summary;
  let fromMs = summary.startedMs;
  const used = summary.steps.map(({ seconds }) => {
    const cores = coresBetween(samples, fromMs, fromMs + seconds * 1000);
    fromMs += seconds * 1000;
    return cores;
  });
  const lines = used.map((cores, at) => {
    const most = cores.filter(([, value]) => value >= 0.005).map(([name, value]) => `${name} ${value.toFixed(2)}`);
    return `- processors at ${summary.steps[at]?.asked.toFixed(0)} requests/s: ${most.join(', ')}`;
  });
  const knee = summary.steps.findIndex((step) => !holds(step));
  let sentence: string | undefined;
  if (profile === 'stress') {
    const before = summary.steps[knee - 1]?.asked ?? 0;
    sentence =
      knee === -1
        ? `the knee is above ${summary.steps.at(-1)?.asked} requests/s`
        : `the knee is between ${before} and ${summary.steps[knee]?.asked} requests/s: ${nameLimit(used[knee] ?? [])}`;
    lines.push(`- ${sentence}`);
  }
  const processors = used.map((cores) => Object.fromEntries(cores));
  writeFileSync(file, `${JSON.stringify({ ...summary, processors, knee: sentence }, undefined, 2)}\n`);
  return lines.join('\n');
}
