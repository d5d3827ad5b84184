import { actionNames } from '@husky/holdem/action';
import { describeFault, type Fault } from '@husky/match/fault';
import type { RecordedAction } from '@husky/match/record';
import type { ChunkContent } from './record.ts';

/** Decisions of one bot that failed or were adjusted for the same reason. */
export interface DecisionGroup {
  /** A fault, or 'adjusted'. */
  readonly kind: string;
  readonly text: string;
  count: number;
  readonly firstHand: number;
  lastHand: number;
}

export interface FirstFault {
  readonly kind: Fault;
  readonly hand: number;
  /** The bot's own text, for its owner and admins; '' if there is none. */
  readonly text: string;
}

/** Collects the faults and adjusted actions of one seat from stored hands. */
export class SeatFindings {
  decisions = 0;
  first: FirstFault | null = null;
  readonly faults = new Map<string, DecisionGroup>();
  readonly adjusted = new Map<string, DecisionGroup>();

  add(action: RecordedAction, hand: number): void {
    this.decisions += 1;
    const { fault, asked = '' } = action;
    if (fault !== undefined) {
      this.first ??= { kind: fault, hand, text: asked };
      const text = fault === 'illegal' ? withoutNumbers(asked) : asked;
      count(this.faults, fault, text === '' ? describeFault(fault) : text, hand);
    } else if (action.adjusted) {
      const [requested = '', reason = ''] = withoutNumbers(asked).split(/: (.*)/s);
      const played = `${requested === '' ? 'another action' : requested} played as ${actionNames[action.kind]}`;
      count(this.adjusted, 'adjusted', reason === '' ? played : `${played}: ${reason}`, hand);
    }
  }
}

/** Adds a chunk's hands to the findings of its seats. */
export function addFindings(findings: readonly SeatFindings[], content: ChunkContent): void {
  for (const [index, record] of content.hands.entries()) {
    // The first two actions are the blinds, not decisions.
    for (const action of record.actions.slice(2)) findings[action.seat]?.add(action, content.firstHand + index);
  }
}

/** Sorts groups by frequency, then by first hand. */
export function sortedGroups(groups: ReadonlyMap<string, DecisionGroup>): DecisionGroup[] {
  return [...groups.values()].sort((a, b) => b.count - a.count || a.firstHand - b.firstHand);
}

function count(groups: Map<string, DecisionGroup>, kind: string, text: string, hand: number): void {
  const key = `${kind} ${text}`;
  const group = groups.get(key);
  if (group === undefined) {
    groups.set(key, { kind, text, count: 1, firstHand: hand, lastHand: hand });
  } else {
    group.count += 1;
    group.lastHand = hand;
  }
}

/** Removes amounts, so that the same reason in different hands forms one group. */
function withoutNumbers(text: string): string {
  return text.replaceAll(/ ?-?\d+(\.\d+)?(e[+-]?\d+)?/g, '');
}
