import { csvHeader, csvLine, csvRows } from './csv.ts';
import type { GameData } from './game-data.ts';
import { phhOf } from './phh.ts';

/** Writes a match in one file format: the manifest first, then the hands, then an end that only a complete file has. */
export interface MatchWriter {
  /** Extension of the file's name, without the dot. */
  readonly extension: string;
  readonly contentType: string;
  start(manifest: object): string;
  hand(game: GameData, number: number, jobId: string): string;
  end(end: MatchEnd): string;
}

/** The end of a match's file. `play_digest` is the PlayDigest over all hands. */
export interface MatchEnd {
  readonly complete: true;
  readonly hands: number;
  readonly play_digest: string;
}

/** Returns manifest or end as a comment of a text format. TOML forbids DEL, which JSON does not escape. */
function commentLine(name: string, value: object): string {
  return `# ${name} ${JSON.stringify(value).replaceAll('\u007f', '\\u007f')}`;
}

/** JSON lines: one object per line, with `type` manifest, hand or end (docs/game-data.md). */
export const jsonlWriter: MatchWriter = {
  extension: 'jsonl',
  contentType: 'application/x-ndjson; charset=utf-8',
  start: (manifest) => `${JSON.stringify({ type: 'manifest', ...manifest })}\n`,
  hand: (game, hand) => `${JSON.stringify({ type: 'hand', hand, game_data: game })}\n`,
  end: (end) => `${JSON.stringify({ type: 'end', ...end })}\n`,
};

/** Poker Hand History: a TOML table for each hand; manifest and end are comments. */
export const phhWriter: MatchWriter = {
  extension: 'phhs',
  contentType: 'application/toml',
  start: (manifest) => `${commentLine('manifest', manifest)}\n\n`,
  hand: (game, number, jobId) => `[${number}]\n${phhOf(game, number, jobId)}\n`,
  end: (end) => `${commentLine('end', end)}\n`,
};

/** CSV: a row for each player and hand; manifest and end are comments. */
export const csvWriter: MatchWriter = {
  extension: 'csv',
  contentType: 'text/csv; charset=utf-8',
  start: (manifest) => `${commentLine('manifest', manifest)}\r\n${csvLine(csvHeader)}`,
  hand: (game, number) => csvRows(game, number),
  end: (end) => `${commentLine('end', end)}\r\n`,
};
