import { statfsSync } from 'node:fs';

const pollMs = 1000;
const minFreeBytes = 16 * 2 ** 20;

/**
 * Returns a handler for log lines of NATS. After a line that reports a full disk, the handler calls `restart` once the disk of `folder` has
 * space. A restart is needed because nats-server (2.15.1) never again writes to a stream's block after a failed write.
 */
export function restartAfterFullDisk(folder: string, restart: () => void): (line: string) => void {
  let timer: NodeJS.Timeout | undefined;
  const check = () => {
    if (freeBytes(folder) < minFreeBytes) return;
    clearInterval(timer);
    timer = undefined;
    restart();
  };
  return (line) => {
    if (timer === undefined && line.includes('no space left on device')) timer = setInterval(check, pollMs).unref();
  };
}

/** Returns the free space of a folder's disk for a user without privileges. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
