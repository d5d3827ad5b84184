import type { AttackCase, End } from './case-files.ts';
import { ends } from './case-files.ts';

/** What a match recorded about one bot. */
export interface SeatRecord {
  readonly log: string;
  readonly verdict: string;
  readonly peakKib: number;
}

interface Judgement {
  /** How the match ended for the attacker. */
  readonly end: End;
  /** Attempts that were refused or bounded, with the error. */
  readonly held: readonly string[];
  readonly escaped: readonly string[];
  /** Inconclusive attempts: they failed with an error that no means of the sandbox causes. They are among the problems. */
  readonly unsure: readonly string[];
  /** One sentence for each reason why the case fails; empty when it passes. */
  readonly problems: readonly string[];
}

const line = /^attack: (begin|over|(held|ESCAPED|unsure|note|sent|heard) ([^:]+): ?(.*))$/;

interface Line {
  readonly kind: string;
  readonly name: string;
  readonly detail: string;
}

/** Parses the lines that the prelude writes to the log. */
function linesOf(log: string): Line[] {
  return log.split('\n').flatMap((text) => {
    const found = line.exec(text);
    if (found === null) return [];
    return [{ kind: found[2] ?? found[1] ?? '', name: found[3] ?? '', detail: found[4] ?? '' }];
  });
}

/** Returns how the match ended for a bot with this verdict. */
export function endOf(verdict: string): End {
  const word = verdict.split(':')[0] ?? '';
  return ends.find((end) => end === word) ?? 'plays';
}

/** Returns the share of the sent bits that the accomplice received in the same hand or one hand later, whichever is larger. */
function measureAgreement(sent: readonly Line[], heard: readonly Line[]): { bits: number; share: number } {
  const truth = new Map(sent.map(({ name, detail }) => [Number(name), detail]));
  const shares = [0, 1].map((lag) => {
    const pairs = heard.filter(({ name }) => truth.has(Number(name) - lag));
    const same = pairs.filter(({ name, detail }) => truth.get(Number(name) - lag) === detail).length;
    return { bits: pairs.length, share: pairs.length === 0 ? 0.5 : Math.max(same, pairs.length - same) / pairs.length };
  });
  return shares.reduce((best, one) => (one.share > best.share ? one : best));
}

const minBits = 40;
/** 40 random bits exceed this share less than once in 20,000 runs. */
const maxAgreement = 0.82;

/** Judges a case by the log and the verdict of its bot (and of its accomplice) in one match. */
export function judge(attack: AttackCase, attacker: SeatRecord, partner?: SeatRecord): Judgement {
  const lines = linesOf(attacker.log);
  const both = partner === undefined ? lines : [...lines, ...linesOf(partner.log)];
  const linesOfKind = (kind: string) => both.filter((one) => one.kind === kind);
  const text = ({ name, detail }: Line) => (detail === '' ? name : `${name}: ${detail}`);
  const problems: string[] = [];
  const end = endOf(attacker.verdict);
  const held = linesOfKind('held').map(text);
  const escaped = linesOfKind('ESCAPED').map(text);
  const unsure = linesOfKind('unsure').map((one) => `the attempt proves nothing: ${text(one)}`);

  if (!attack.verdict.includes(end)) {
    const tail = attacker.log.trim().split('\n').slice(-3).join(' | ');
    problems.push(
      `verdict ${end} (${attacker.verdict}), expected ${attack.verdict.join(' or ')}; its log ends: ${tail}`,
    );
  }
  problems.push(...unsure);
  if (!lines.some(({ kind }) => kind === 'begin')) problems.push('the attempt was not made: its log has no begin');
  if (end === 'plays' && !lines.some(({ kind }) => kind === 'over'))
    problems.push('the attempt did not come to its end');

  if (partner !== undefined) {
    const { bits, share } = measureAgreement(
      both.filter(({ kind }) => kind === 'sent'),
      both.filter(({ kind }) => kind === 'heard'),
    );
    const summary = `${Math.round(100 * share)} of 100 bits arrive (${bits} compared, chance is 50)`;
    if (bits < minBits) problems.push(`only ${bits} bits were compared, ${minBits} are needed`);
    (share > maxAgreement ? escaped : held).push(`card bits: ${summary}`);
  } else if (end === 'plays' && held.length + escaped.length + unsure.length === 0) {
    problems.push('its log has neither a refusal nor a success');
  }
  if (attack.open === undefined) for (const one of escaped) problems.push(`not contained: ${one}`);
  return { end, held, escaped, unsure, problems };
}

/** The result of a case on one kind of machine. */
export interface Outcome {
  readonly attack: AttackCase;
  /** The observed verdict, or the status of the refused upload. */
  readonly seen: string;
  readonly held: readonly string[];
  readonly escaped: readonly string[];
  readonly unsure: readonly string[];
  /** Reasons why the case fails; empty when it passes. */
  readonly problems: readonly string[];
  /** Processor time of the honest bots divided by their time in the match without the attacker; NaN: not measured. */
  readonly slowdown: number;
  readonly seconds: number;
}

/** Combines the judgements of a case's matches. */
export function outcomeOf(
  attack: AttackCase,
  matches: readonly (readonly SeatRecord[])[],
  more: { readonly problems: readonly string[]; readonly slowdown: number; readonly seconds: number },
): Outcome {
  const judged = matches.flatMap(([attacker, partner]) => {
    if (attacker === undefined) return [];
    return [judge(attack, attacker, attack.partner ? partner : undefined)];
  });
  return {
    attack,
    seen: [...new Set(judged.map(({ end }) => end))].join(', ') || '-',
    held: judged.flatMap(({ held }) => held),
    escaped: judged.flatMap(({ escaped }) => escaped),
    unsure: judged.flatMap(({ unsure }) => unsure),
    problems: [...judged.flatMap(({ problems }) => problems), ...more.problems],
    slowdown: more.slowdown,
    seconds: more.seconds,
  };
}

/** Returns the outcome of a case that could not be judged. */
export function failedOutcome(attack: AttackCase, problem: string, seconds: number): Outcome {
  return { attack, seen: '-', held: [], escaped: [], unsure: [], problems: [problem], slowdown: Number.NaN, seconds };
}

/** Formats an outcome for the terminal, with a line for each problem. */
export function formatOutcome({ attack, seen, held, escaped, problems, slowdown, seconds }: Outcome): string {
  const mark = problems.length > 0 ? 'FAILED' : escaped.length > 0 ? 'open  ' : 'ok    ';
  const time = Number.isNaN(slowdown) ? '' : `, honest x${slowdown.toFixed(2)}`;
  const first = `${mark} ${`${attack.group}/${attack.name}`.padEnd(46)} ${seen.padEnd(10)} ${held.length} held, ${seconds.toFixed(1)} s${time}`;
  return [first, ...problems.map((problem) => `         ${problem}`)].join('\n');
}
