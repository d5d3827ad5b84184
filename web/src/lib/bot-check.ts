import { decodeSource } from './source-text.ts';

/** Maximum size of one file of an upload. */
export const MAX_FILE_BYTES = 1024 * 1024;

export type BotFileName = 'player.py' | 'requirements.txt';
export const BOT_FILES: readonly BotFileName[] = ['player.py', 'requirements.txt'];

/** A fault of a file. An 'error' prevents the upload; a 'warning' does not. */
export type Finding = { level: 'error' | 'warning'; text: string };

export function isBotFileName(name: string): name is BotFileName {
  return BOT_FILES.includes(name as BotFileName);
}

/** Checks one file before the upload. The server decides about everything else. */
export function checkBotFile(name: BotFileName, bytes: Uint8Array): Finding[] {
  if (bytes.byteLength > MAX_FILE_BYTES) return [{ level: 'error', text: `${name} is larger than 1 MiB` }];
  if (name !== 'player.py') return [];
  const text = decodeSource(bytes);
  if (text?.trim() === '') return [{ level: 'error', text: 'player.py is empty' }];
  if (text?.includes('SimplePlayer') !== false) return [];
  return [{ level: 'warning', text: 'player.py does not mention SimplePlayer, the class that every bot has' }];
}
