import type { GameData } from '@husky/match/game-data';
import { phhOf } from '@husky/match/phh';
import { csvHeader, csvLine, csvRows } from './csv.ts';

export const formats = ['jsonl', 'phh', 'csv'] as const;
export type Format = (typeof formats)[number];

/** How a match is written: the manifest first, then its hands, then an end that only a complete file has. */
export interface Writer {
  /** Of a file's name, without the dot. */
  readonly extension: string;
  readonly contentType: string;
  start(manifest: object): string;
  hand(game: GameData, number: number, jobId: string): string;
  end(end: object): string;
}

// DEL is no control character in JSON, but in TOML.
const comment = (name: string, value: object) => `# ${name} ${JSON.stringify(value).replaceAll('\u007f', '\\u007f')}`;

export const writers: Readonly<Record<Format, Writer>> = {
  jsonl: {
    extension: 'jsonl',
    contentType: 'application/x-ndjson; charset=utf-8',
    start: (manifest) => `${JSON.stringify({ type: 'manifest', ...manifest })}\n`,
    hand: (game, hand) => `${JSON.stringify({ type: 'hand', hand, game_data: game })}\n`,
    end: (end) => `${JSON.stringify({ type: 'end', ...end })}\n`,
  },
  phh: {
    extension: 'phhs',
    contentType: 'application/toml',
    start: (manifest) => `${comment('manifest', manifest)}\n\n`,
    hand: (game, number, jobId) => `[${number}]\n${phhOf(game, number, jobId)}\n`,
    end: (end) => `${comment('end', end)}\n`,
  },
  csv: {
    extension: 'csv',
    contentType: 'text/csv; charset=utf-8',
    start: (manifest) => `${comment('manifest', manifest)}\r\n${csvLine(csvHeader)}`,
    hand: (game, number) => csvRows(game, number),
    end: (end) => `${comment('end', end)}\r\n`,
  },
};
