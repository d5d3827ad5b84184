// Used by every bench: prints machine and load with the figures, and records them with RECORD=1.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describeMachine, measureIdleShare, ownSeconds, readPressure, readProcessorTimes } from './machine.ts';

const document = join(import.meta.dirname, '../../../test-results/performance.md');

/**
 * For recorded benches: minimum idle share before the bench, and maximum share of all processors that others may use during it. Others
 * include interrupts and processes of the bench that it does not wait for, together up to 8 % on an otherwise idle machine.
 */
const quietShare = 0.9;
const maxOthersShare = 0.1;

const formatPercent = (share: number): string => `${(100 * share).toFixed(0)} %`;
const print = (text: string): void => void process.stdout.write(`${text}\n`);

/** One run of a bench. `finish` prints the figures with the machine and its load, and with RECORD=1 adds them to test-results/performance.md. */
export class BenchRun {
  readonly #heading: string;
  readonly #record: boolean;
  readonly #idleBefore: number;
  readonly #pressureBefore = readPressure();
  readonly #timesBefore = readProcessorTimes();
  readonly #ownBefore = ownSeconds();

  private constructor(heading: string, record: boolean, idleBefore: number) {
    this.#heading = heading;
    this.#record = record;
    this.#idleBefore = idleBefore;
  }

  /**
   * Measures the load for a second. `heading`: section of the recorded figures. With RECORD=1 throws if the machine is busy, because the
   * figures would not be recorded.
   */
  static async start(heading: string): Promise<BenchRun> {
    const record = process.env.RECORD === '1';
    const idle = await measureIdleShare();
    if (record && idle < quietShare) {
      throw new Error(
        `The machine is busy (${formatPercent(idle)} idle): record on one that is at least ${formatPercent(quietShare)} idle.`,
      );
    }
    return new BenchRun(heading, record, idle);
  }

  /**
   * Prints machine, load and figures (Markdown), and records them with RECORD=1. Call it after the processes of the bench have ended.
   * `printed`: whether the figures have been printed already. Returns whether they were recorded.
   */
  async finish(figures: string, { printed = false } = {}): Promise<boolean> {
    const now = readProcessorTimes();
    const busy = now.busy - this.#timesBefore.busy;
    const all = busy + now.idle - this.#timesBefore.idle;
    const own = ownSeconds() - this.#ownBefore;
    const others = all <= 0 ? 0 : Math.max(0, busy - own) / all;
    const waited =
      this.#pressureBefore === undefined
        ? ''
        : `, ${formatPercent(this.#pressureBefore)} of the time with waiting processes`;
    const load =
      `Before: ${formatPercent(this.#idleBefore)} idle${waited}. During: the bench ${own.toFixed(1)} s of processor time, ` +
      `others ${formatPercent(others)} of all processors. After: ${formatPercent(await measureIdleShare())} idle.`;
    const date = new Date().toISOString().slice(0, 10);
    const head = `### ${date}, ${describeMachine()}\n\n${load}\n`;
    const text = `${head}\n${figures.trim()}\n`;
    print(`\n${printed ? head : text}`);
    if (!this.#record) return false;
    if (others > maxOthersShare) {
      process.exitCode = 1;
      print(
        `not recorded: others used ${formatPercent(others)} of the processors, more than ${formatPercent(maxOthersShare)}`,
      );
      return false;
    }
    const recorded = existsSync(document) ? readFileSync(document, 'utf8') : '# Recorded figures\n';
    mkdirSync(dirname(document), { recursive: true });
    writeFileSync(document, addFigures(recorded, this.#heading, text));
    print(`recorded in test-results/performance.md under "${this.#heading}"`);
    return true;
  }
}

/** Returns the document with `text` at the end of the section `heading`, which is added if it does not exist. */
export function addFigures(markdown: string, heading: string, text: string): string {
  const lines = markdown.trimEnd().split('\n');
  const start = lines.indexOf(`## ${heading}`);
  if (start === -1) return `${lines.join('\n')}\n\n## ${heading}\n\n${text.trimEnd()}\n`;
  const next = lines.findIndex((line, at) => at > start && line.startsWith('## '));
  const end = next === -1 ? lines.length : next;
  const section = lines.slice(0, end).join('\n').trimEnd();
  const rest = lines.slice(end).join('\n');
  return `${section}\n\n${text.trimEnd()}\n${rest === '' ? '' : `\n${rest}\n`}`;
}
