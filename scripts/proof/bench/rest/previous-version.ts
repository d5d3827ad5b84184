import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../../..');

/** A checked-out version of the repository that can be started. */
export interface PreviousVersion {
  readonly folder: string;
  remove(): void;
}

/**
 * Checks out another version into a temporary folder, with this version's installed packages and built site. Throws if git does not
 * know the version. Limit: it runs with this version's npm packages.
 */
export function checkOut(ref: string): PreviousVersion {
  const folder = mkdtempSync(join(tmpdir(), 'husky-before-'));
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  const remove = () => {
    rmSync(folder, { recursive: true, force: true });
    git('worktree', 'prune');
  };
  try {
    git('worktree', 'add', '--quiet', '--detach', folder, ref);
    for (const path of ['node_modules', '.tools', ...workspacePackages()]) {
      if (existsSync(join(root, path))) execFileSync('cp', ['-al', join(root, path), join(folder, path)]);
    }
    if (existsSync(join(root, 'web/dist')))
      cpSync(join(root, 'web/dist'), join(folder, 'web/dist'), { recursive: true });
    execFileSync(process.execPath, ['scripts/generate.ts'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  } catch (error) {
    remove();
    throw error;
  }
  return { folder, remove };
}

/** Returns the folders of packages that npm did not hoist. */
function workspacePackages(): string[] {
  return ['web', ...readdirSync(join(root, 'services')).map((name) => `services/${name}`)].map(
    (path) => `${path}/node_modules`,
  );
}
