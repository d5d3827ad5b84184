import type { GameData } from './game-data.ts';
import { phhOf } from './phh.ts';

/** How a match is written: the manifest first, then its hands, then an end that only a complete file has. */
export interface MatchWriter {
  /** Of a file's name, without the dot. */
  readonly extension: string;
  readonly contentType: string;
  start(manifest: object): string;
  hand(game: GameData, number: number, jobId: string): string;
  end(end: MatchEnd): string;
}

/** The end of a match's file: `play_digest` is PlayDigest's over all hands. */
export interface MatchEnd {
  readonly complete: true;
  readonly hands: number;
  readonly play_digest: string;
}

/** Returns manifest or end as a comment of a text format. DEL is no control character in JSON, but in TOML. */
export function commentLine(name: string, value: object): string {
  return `# ${name} ${JSON.stringify(value).replaceAll('\u007f', '\\u007f')}`;
}

/** JSON lines: an object a line, with `type` manifest, hand or end (docs/game-data.md). */
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
