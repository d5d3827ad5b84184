import type { FleetRunner } from './containers.ts';

/** Message of a scale-up whose runners did not claim within `startMs`. */
export function notReadyMessage(waiting: readonly FleetRunner[], startMs: number): string {
  const reasons = waiting.map(
    (runner) => `${runner.name}: ${runner.problem || 'it has not asked for work yet, see its log'}`,
  );
  return `${waiting.length} runner(s) did not become ready within ${startMs / 1000} s: ${joinFirst(reasons, '; ')}`;
}

/** Message of a scale-down whose runners did not end within `stopMs`. */
export function notStoppedMessage(remaining: readonly FleetRunner[], stopMs: number): string {
  const names = remaining.map(({ name }) => name);
  return `${joinFirst(names, ', ')} did not stop within ${stopMs / 1000} s`;
}

/** Message of a job whose state the database has refused. */
export const notStoredMessage = "The database refused the state of this change. Its reason is in the pool's log.";

const maxNamed = 20;

/** Joins texts for a message: the first `maxNamed` of them, and the number of the others. */
export function joinFirst(texts: readonly string[], separator: string): string {
  const more = texts.length - maxNamed;
  return [...texts.slice(0, maxNamed), ...(more > 0 ? [`and ${more} more`] : [])].join(separator);
}
