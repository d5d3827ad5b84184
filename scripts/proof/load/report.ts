import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { coresBetween, nameLimit, type Sample } from './processor-time.ts';
import type { Profile } from './settings.ts';

interface Step {
  /** Requests per second that the step starts. */
  readonly targetRate: number;
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

/** Returns whether the platform sustained the load of a step: no failure, no refusal, the p99 objective met, 90 % of the rate reached. */
export const isSustained = ({ targetRate, requestsPerSecond, refused, failed, p99Ms = Infinity }: Step): boolean =>
  refused === 0 && failed === 0 && p99Ms < objectiveMs && requestsPerSecond >= 0.9 * targetRate;

/**
 * Returns the processors that each part used in each step and, for the profile stress, the knee: the first step that is not
 * sustained, with the part that limits it. Adds both to the summary file. `samples`: empty if the parts were not measured.
 */
export function reportSteps(file: string, samples: readonly Sample[], profile: Profile): string {
  if (!existsSync(file)) return '';
  const summary = JSON.parse(readFileSync(file, 'utf8')) as Summary;
  let fromMs = summary.startedMs;
  const used = summary.steps.map(({ seconds }) => {
    const cores = coresBetween(samples, fromMs, fromMs + seconds * 1000);
    fromMs += seconds * 1000;
    return cores;
  });
  const lines = used.flatMap((cores, at) => {
    if (cores.length === 0) return [];
    const parts = cores.filter(([, value]) => value >= 0.005).map(([name, value]) => `${name} ${value.toFixed(2)}`);
    return `- processors at ${summary.steps[at]?.targetRate.toFixed(0)} requests/s: ${parts.join(', ')}`;
  });
  const knee = summary.steps.findIndex((step) => !isSustained(step));
  let sentence: string | undefined;
  if (profile === 'stress') {
    const sustained = summary.steps[knee - 1]?.targetRate ?? 0;
    sentence =
      knee === -1
        ? `the knee is above ${summary.steps.at(-1)?.targetRate} requests/s`
        : `the knee is between ${sustained} and ${summary.steps[knee]?.targetRate} requests/s: ${nameLimit(used[knee] ?? [], availableParallelism())}`;
    lines.push(`- ${sentence}`);
  }
  const usedByPart = used.map((cores) => Object.fromEntries(cores));
  writeFileSync(file, `${JSON.stringify({ ...summary, processors: usedByPart, knee: sentence }, undefined, 2)}\n`);
  return lines.join('\n');
}
