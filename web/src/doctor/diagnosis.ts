import type { BotFaults, BotReport } from '../lib/types.ts';

/** A text of a fault, split: 'KeyError: 3 (line 20)' is 'KeyError 3' in line 20 of player.py. */
export type FaultCause = { what: string; line: number | null };

/** Decisions that failed for the same reason: same kind, same type of exception, same line. */
export type FoldedFault = FaultCause & {
  kind: string;
  count: number;
  /** Other messages of the same exception in the same line. */
  variants: number;
  hand: number;
  step: number;
  gameId: string;
};

const LINE = / ?\(line (\d+)\)$/;
const EXCEPTION = /^([A-Za-z_][\w.]*(?:Error|Exception|Exit|Interrupt|Warning|Iteration)?): /;

/** Splits the text of a fault. Texts that are no exception stay as they are. */
export function causeOf(text: string): FaultCause {
  const line = LINE.exec(text)?.[1];
  const what = text.replace(LINE, '').replace(EXCEPTION, '$1 ');
  return { what, line: line === undefined ? null : Number(line) };
}

/** Joins the groups of a report that differ only in the message of the exception; the order stays: most frequent first. */
export function foldFaults(groups: BotReport['faults']): FoldedFault[] {
  const folded = new Map<string, FoldedFault>();
  for (const { kind, text, count, first_hand: hand, first_step: step, first_game_id: gameId } of groups) {
    const cause = causeOf(text);
    const type = EXCEPTION.exec(text)?.[1];
    const key = type === undefined ? `${kind} ${text}` : `${kind} ${type} ${cause.line}`;
    const existing = folded.get(key);
    if (existing === undefined) {
      folded.set(key, { ...cause, kind, count, variants: 0, hand, step, gameId });
    } else {
      existing.count += count;
      existing.variants += 1;
      if (hand < existing.hand) Object.assign(existing, { hand, step, gameId });
    }
  }
  return [...folded.values()].sort((a, b) => b.count - a.count || a.hand - b.hand);
}

const inLine = ({ what, line }: FaultCause) => (line === null ? what : `${what}, line ${line}`);

const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

type Counts = {
  decisions: number;
  failed: number;
  failedCalls: number;
  neverStarted: boolean;
  /** Text of the first cause; '' if none is known. */
  text: string;
  /** Number of reasons beyond the named one. */
  otherReasons: number;
};

/** Says in one sentence what failed: '9 of 9 decisions failed: KeyError 3, line 20'. Returns '' if nothing failed. */
function sentenceOf({ decisions, failed, failedCalls, neverStarted, text, otherReasons }: Counts): string {
  const cause = text === '' ? '' : `: ${inLine(causeOf(text))}`;
  if (neverStarted) return `The bot never started${cause}`;
  const more = otherReasons > 0 ? `, and ${plural(otherReasons, 'other reason')}` : '';
  if (failed > 0) return `${failed} of ${plural(decisions, 'decision')} failed${cause}${more}`;
  if (failedCalls > 0) return `${plural(failedCalls, 'call')} of other methods failed${cause}${more}`;
  return '';
}

/** Returns the sentence for a row of a list. Only the bot's owner and admins have the text of the first fault. */
export function sentenceOfRow(faults: BotFaults | undefined): string {
  if (faults === undefined) return '';
  const text = faults.first?.text ?? '';
  const { decisions, failed, failed_calls: failedCalls, never_started: neverStarted } = faults;
  const sentence = sentenceOf({ decisions, failed, failedCalls, neverStarted, text, otherReasons: 0 });
  return sentence === '' ? faults.summary : sentence;
}

export type Diagnosis = {
  sentence: string;
  failed: boolean;
  /** Most frequent first, without the folds of a bot that was disabled or never started because of another one. */
  faults: FoldedFault[];
  /** Line of player.py to show; null if none is known. */
  line: number | null;
};

const CONSEQUENCES = ['disabled', 'startup'];

/** Returns what a report says about a bot: a sentence, the folded faults and the failing line. */
export function diagnose(report: BotReport): Diagnosis {
  const all = foldFaults(report.faults);
  const causes = all.filter(({ kind }) => !CONSEQUENCES.includes(kind));
  const faults = causes.length > 0 ? causes : all;
  const { stopped } = report;
  const neverStarted = stopped?.kind === 'startup';
  const [call] = report.failed_calls;
  // A failed on_start of the same hand is the cause of what follows.
  const first =
    faults[0] && !(call?.method === 'on_start' && call.first_hand <= faults[0].hand) ? faults[0] : undefined;
  const text = neverStarted ? stopped.text : first ? textOf(first) : call ? `${call.method}: ${call.text}` : '';
  const sentence = sentenceOf({
    decisions: report.decisions,
    failed: report.faults.reduce((sum, { count }) => sum + count, 0),
    failedCalls: report.failed_calls.reduce((sum, { count }) => sum + count, 0),
    neverStarted,
    text,
    otherReasons: neverStarted ? 0 : Math.max(0, (first ? faults : report.failed_calls).length - 1),
  });
  const stop =
    stopped === null ? '' : `The bot did not play to the end${stopped.text === '' ? '' : `: ${stopped.text}`}`;
  const healthy =
    report.decisions === 0 ? 'The bot was never asked for a decision' : `No decision failed (${report.decisions} made)`;
  return {
    sentence: sentence || stop || healthy,
    failed: sentence !== '' || stop !== '',
    faults: neverStarted ? [] : faults,
    line: causeOf(text).line,
  };
}

function textOf({ what, line }: FoldedFault): string {
  return line === null ? what : `${what} (line ${line})`;
}
