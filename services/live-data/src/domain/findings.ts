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
  /** Step of the first hand, counted from 1 over all actions, blinds included. */
  readonly firstStep: number;
  lastHand: number;
}

export interface FirstFault {
  readonly kind: Fault;
  readonly hand: number;
  readonly step: number;
  /** The bot's own text, for its owner and admins; '' if there is none. */
  readonly text: string;
}

/** Collects the faults and adjusted actions of one seat from stored hands. */
export class SeatFindings {
  decisions = 0;
  first: FirstFault | null = null;
  readonly faults = new Map<string, DecisionGroup>();
  readonly adjusted = new Map<string, DecisionGroup>();

  /** `step` is the action's number within its hand, from 1, blinds included. */
  add(action: RecordedAction, hand: number, step: number): void {
    this.decisions += 1;
    const { fault, detail = '' } = action;
    if (fault !== undefined) {
      this.first ??= { kind: fault, hand, step, text: detail };
      const text = fault === 'illegal' ? withoutNumbers(detail) : detail;
      count(this.faults, fault, text === '' ? describeFault(fault) : text, { hand, step });
    } else if (action.adjusted) {
      const [requested = '', reason = ''] = withoutNumbers(detail).split(/: (.*)/s);
      const played = `${requested === '' ? 'another action' : requested} played as ${actionNames[action.kind]}`;
      count(this.adjusted, 'adjusted', reason === '' ? played : `${played}: ${reason}`, { hand, step });
    }
  }
}

/** Number of actions at the start of a hand that are blinds. */
const BLINDS = 2;

/** Adds a chunk's hands to the findings of its seats. */
export function addFindings(findings: readonly SeatFindings[], content: ChunkContent): void {
  for (const [index, record] of content.hands.entries()) {
    // The blinds are not decisions.
    for (const [decision, action] of record.actions.slice(BLINDS).entries()) {
      findings[action.seat]?.add(action, content.firstHand + index, decision + BLINDS + 1);
    }
  }
}

/** Returns groups, the most frequent first, then by first hand. */
export function sortGroups(groups: ReadonlyMap<string, DecisionGroup>): DecisionGroup[] {
  return [...groups.values()].sort((a, b) => b.count - a.count || a.firstHand - b.firstHand);
}

function count(
  groups: Map<string, DecisionGroup>,
  kind: string,
  text: string,
  at: { hand: number; step: number },
): void {
  const key = `${kind} ${text}`;
  const group = groups.get(key);
  if (group === undefined) {
    groups.set(key, { kind, text, count: 1, firstHand: at.hand, firstStep: at.step, lastHand: at.hand });
  } else {
    group.count += 1;
    group.lastHand = at.hand;
  }
}

/** Removes amounts, so that the same reason in different hands forms one group. */
function withoutNumbers(text: string): string {
  return text.replaceAll(/ ?-?\d+(\.\d+)?(e[+-]?\d+)?/g, '');
}
