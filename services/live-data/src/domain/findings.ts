import { actionNames } from '@husky/holdem/action';
import { describeFault, type Fault } from '@husky/match/fault';
import { postsOf, type RecordedAction } from '@husky/match/record';
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
      count(this.faults, fault, [text, describeFault(fault)], { hand, step });
    } else if (action.adjusted) {
      const [requested = '', reason = ''] = withoutNumbers(detail).split(/: (.*)/s);
      const playedAs = `played as ${actionNames[action.kind]}`;
      const played = `${requested === '' ? 'another action' : requested} ${playedAs}`;
      const text = reason === '' ? played : `${played}: ${reason}`;
      count(this.adjusted, 'adjusted', [text, `another action ${playedAs}`], { hand, step });
    }
  }
}

/** Adds a chunk's hands to the findings of its seats. */
export function addFindings(findings: readonly SeatFindings[], content: ChunkContent): void {
  for (const [index, record] of content.hands.entries()) {
    for (const [step, action] of record.actions.entries()) {
      // The blinds are not decisions.
      if (step >= postsOf(record)) findings[action.seat]?.add(action, content.firstHand + index, step + 1);
    }
  }
}

/** Returns groups, the most frequent first, then by first hand. */
export function sortGroups(groups: ReadonlyMap<string, DecisionGroup>): DecisionGroup[] {
  return [...groups.values()].sort((a, b) => b.count - a.count || a.firstHand - b.firstHand);
}

// The report shows 50. Texts come from bots, and from a dealer that a bot may have taken over.
const maxGroups = 1000;

/** Counts a decision under its text, or under the general one if it has no text or there are too many texts. */
function count(
  groups: Map<string, DecisionGroup>,
  kind: string,
  [own, general]: readonly [own: string, general: string],
  at: { hand: number; step: number },
): void {
  const known = own !== '' && (groups.size < maxGroups || groups.has(`${kind} ${own}`));
  const text = known ? own : general;
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
