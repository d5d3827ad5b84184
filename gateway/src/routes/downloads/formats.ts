import { commentLine, jsonlWriter, type MatchWriter, phhWriter } from '@husky/match/match-file';
import { csvLine } from '../../http/csv.ts';
import { csvHeader, csvRows } from './csv.ts';

export const formats = ['jsonl', 'phh', 'csv'] as const;
export type Format = (typeof formats)[number];

export const writers: Readonly<Record<Format, MatchWriter>> = {
  jsonl: jsonlWriter,
  phh: phhWriter,
  csv: {
    extension: 'csv',
    contentType: 'text/csv; charset=utf-8',
    start: (manifest) => `${commentLine('manifest', manifest)}\r\n${csvLine(csvHeader)}`,
    hand: (game, number) => csvRows(game, number),
    end: (end) => `${commentLine('end', end)}\r\n`,
  },
};
