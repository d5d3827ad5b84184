/** Maximum size of one file of an upload. */
export const MAX_FILE_BYTES = 1024 * 1024;
const MAX_REQUIREMENT_LINES = 50;

export type BotFileName = 'player.py' | 'requirements.txt';
export const BOT_FILES: readonly BotFileName[] = ['player.py', 'requirements.txt'];

/** A fault of a file. An 'error' prevents the upload; the server will probably refuse what a 'warning' names. */
export type Finding = { level: 'error' | 'warning'; text: string };

const METHODS = ['on_start', 'on_round_start', 'get_action', 'on_end_round', 'on_end_game'];
const REQUIREMENT =
  /^[A-Za-z0-9][A-Za-z0-9._-]*(\[[A-Za-z0-9._,\s-]+\])?\s*((===|==|~=|!=|<=|>=|<|>)\s*[A-Za-z0-9.*+!_-]+\s*,?\s*)*(;.*)?$/;

export function isBotFileName(name: string): name is BotFileName {
  return BOT_FILES.includes(name as BotFileName);
}

/** Decodes UTF-8 without its byte order mark; null if the bytes are not valid UTF-8. */
export function decodeUtf8(bytes: ArrayBuffer | Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function checkPlayer(text: string): Finding[] {
  const findings: Finding[] = [];
  if (text.trim() === '') return [{ level: 'error', text: 'player.py is empty' }];
  if (!/^class\s+SimplePlayer\b/m.test(text)) {
    findings.push({ level: 'error', text: 'player.py has no class SimplePlayer' });
  }
  const missing = METHODS.filter((method) => !new RegExp(`^\\s+(async\\s+)?def\\s+${method}\\s*\\(`, 'm').test(text));
  if (missing.length > 0) findings.push({ level: 'warning', text: `player.py does not define ${missing.join(', ')}` });
  return findings;
}

function checkRequirements(text: string): Finding[] {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.replace(/(^|\s)#.*$/, '').trim())
    .filter((line) => line !== '');
  const findings: Finding[] = [];
  if (lines.length > MAX_REQUIREMENT_LINES) {
    findings.push({ level: 'warning', text: `requirements.txt has more than ${MAX_REQUIREMENT_LINES} lines` });
  }
  const unsupported = lines.find((line) => !REQUIREMENT.test(line));
  if (unsupported !== undefined) {
    findings.push({
      level: 'warning',
      text: `requirements.txt may only name packages with versions, not '${unsupported.slice(0, 60)}'`,
    });
  }
  return findings;
}

/** Checks one file before the upload: size, UTF-8 and required contents. An empty requirements.txt is valid. */
export function checkBotFile(name: BotFileName, bytes: ArrayBuffer | Uint8Array): Finding[] {
  if (bytes.byteLength > MAX_FILE_BYTES) return [{ level: 'error', text: `${name} is larger than 1 MiB` }];
  const text = decodeUtf8(bytes);
  if (text === null) return [{ level: 'error', text: `${name} is not UTF-8 text` }];
  return name === 'player.py' ? checkPlayer(text) : checkRequirements(text);
}
