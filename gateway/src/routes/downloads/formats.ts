import { csvWriter, jsonlWriter, type MatchWriter, phhWriter } from '@husky/match/match-file';

export const formats = ['jsonl', 'phh', 'csv'] as const;
export type Format = (typeof formats)[number];

export const writers: Readonly<Record<Format, MatchWriter>> = { jsonl: jsonlWriter, phh: phhWriter, csv: csvWriter };
