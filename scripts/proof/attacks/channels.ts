import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const seatFolder = join(import.meta.dirname, '../../../services/runner/seat');
const timeoutMs = 300_000;

/** Searches for channels between two seats (services/runner/seat/tests/detect_channels.py) and prints its report. Returns whether none is open. */
export function searchForChannels(): boolean {
  const python = process.env.PYTHON ?? '/usr/bin/python3';
  const options = { cwd: seatFolder, stdio: 'inherit', timeout: timeoutMs } as const;
  return spawnSync(python, ['-W', 'ignore', '-B', '-m', 'tests.detect_channels'], options).status === 0;
}
