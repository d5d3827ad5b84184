import { execFileSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import type { Logger } from '@husky/runtime/process/logger';
import { messageOf } from '@husky/runtime/rpc/errors';

/** User ids of seats when the seat host is root (services/runner/seat/husky_seat/uids.py). */
export const seatUsers = { first: 61_000, last: 61_183 };

/**
 * A Python program that sets a POSIX access control list in the kernel's format (linux/posix_acl_xattr.h): the owner has all rights, each
 * seat's user may enter but not list, others have none. `ls -l` shows mode 0710.
 */
const program = `
import os, struct, sys
first, last, folders = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
nobody = 0xFFFFFFFF
entries = [(0x01, 7, nobody), *((0x02, 1, user) for user in range(first, last + 1)), (0x04, 0, nobody), (0x10, 1, nobody), (0x20, 0, nobody)]
value = struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)
for folder in folders:
    os.setxattr(folder, "system.posix_acl_access", value)
`;

/**
 * Closes folders to all other users of this machine. Seats run as the pool's user or, if that is root, get access through an access
 * control list. On a file system without such lists the folders stay open, since seats need them, and a warning is logged.
 */
export function closeFolders(python: string, folders: readonly string[], log: Pick<Logger, 'warn'>): void {
  if (process.getuid?.() !== 0) {
    for (const folder of folders) chmodSync(folder, 0o700);
    return;
  }
  const args = ['-I', '-S', '-c', program, String(seatUsers.first), String(seatUsers.last), ...folders];
  try {
    execFileSync(python, args, { stdio: 'pipe', timeout: 10_000 });
  } catch (error) {
    const why =
      String((error as { stderr?: Buffer }).stderr ?? '')
        .trim()
        .split('\n')
        .at(-1) || messageOf(error);
    log.warn(`local users can read the bots in ${folders[0]}: no access control list can be set there (${why})`);
  }
}
