import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A bot with a usual mistake of beginners. */
export interface Mistake {
  readonly name: string;
  readonly source: string;
  /** Matches what its author reads where the bot runs, with the line. */
  readonly sentence: RegExp;
  /** Matches what its author reads where the file is checked without running it; undefined where it passes. */
  readonly refusal: RegExp | undefined;
}

interface Stored {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly sentence: string;
  readonly refusal?: string;
}

const stored = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../runner/fixtures/mistakes.json'), 'utf8'),
) as { readonly bot: readonly string[]; readonly mistakes: readonly Stored[] };

/** … stands for any text. */
const pattern = (text: string) => new RegExp(text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '.*'));

/** The mistakes of services/runner/fixtures/mistakes.json. */
export const mistakes: readonly Mistake[] = stored.mistakes.map(({ name, from, to, sentence, refusal }) => {
  const source = stored.bot.join('\n').replace(from, () => to);
  const line = source.split('\n').findIndex((text) => text.includes('# here')) + 1;
  return {
    name,
    source,
    sentence: pattern(line === 0 ? sentence : `${sentence} (line ${line})`),
    refusal: refusal === undefined ? undefined : pattern(refusal),
  };
});
