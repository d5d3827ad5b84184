import { statfsSync } from 'node:fs';

const pollMs = 1000;
const minFreeBytes = 16 * 2 ** 20;

/**
 * Returns a function for the lines of NATS's log that calls `restart` once the disk of `folder` has space again after a line
 * reported a full disk. nats-server (seen in 2.15.1) never writes again to a block of a stream whose write has failed.
 */
export function restartAfterFullDisk(folder: string, restart: () => void): (line: string) => void {
  let timer: NodeJS.Timeout | undefined;
  const check = () => {
    const { bavail, bsize } = statfsSync(folder);
    if (bavail * bsize < minFreeBytes) return;
    clearInterval(timer);
    timer = undefined;
    restart();
  };
  return (line) => {
    if (timer === undefined && line.includes('no space left on device')) timer = setInterval(check, pollMs).unref();
  };
}
