// An installed kit with a new bot and a match that it played, for the tests of the commands without a site.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Ended, installedKit, run } from './installed-kit.ts';

const terminalSeconds = 120;

/** An installed kit with a folder of its own as current folder, home and place of temporary files. */
export interface LocalKit {
  readonly bin: string;
  readonly folder: string;
  /** Runs husky to its end. */
  husky(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended>;
  /** Runs a shell command, in which husky is in the path. */
  shell(command: string, env?: Readonly<Record<string, string>>): Promise<Ended>;
  /** Runs husky in a pseudo-terminal. `script`: texts to wait for, each followed by the keys to type then. */
  terminal(args: readonly string[], options?: TerminalOptions): Promise<{ code: number; output: string }>;
  remove(): void;
}

export interface TerminalOptions {
  readonly columns?: number;
  readonly script?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Installs the kit, makes the bot `ann` with `husky new` and plays 60 hands with it: results/match.jsonl. */
export async function localKit(): Promise<LocalKit> {
  const bin = await installedKit();
  const folder = mkdtempSync(join(tmpdir(), 'husky-cli-'));
  const environment = (env: Readonly<Record<string, string>> = {}) => ({
    PATH: `${bin}:/usr/bin:/bin`,
    HOME: folder,
    TMPDIR: '/tmp',
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    PYTHONDONTWRITEBYTECODE: '1',
    ...env,
  });
  const inFolder = (program: string, args: readonly string[], env?: Readonly<Record<string, string>>) =>
    run(program, args, { cwd: folder, env: environment(env) });
  const kit: LocalKit = {
    bin,
    folder,
    husky: (args, env) => inFolder(join(bin, 'husky'), args, env),
    shell: (command, env) => inFolder('/bin/sh', ['-c', command], env),
    terminal: async (args, { columns = 100, script = [], env } = {}) => {
      const helper = join(import.meta.dirname, 'in_terminal.py');
      const program = [join(bin, 'husky'), ...args];
      const line = [helper, String(columns), String(terminalSeconds), ...script, '--', ...program];
      const { stdout, stderr } = await inFolder(join(bin, 'python'), line, env);
      if (stdout === '') throw new Error(stderr);
      return JSON.parse(stdout) as { code: number; output: string };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
  const made = await kit.husky(['new', 'ann']);
  if (made.code !== 0) throw new Error(made.stderr);
  cpSync(join(folder, 'ann/player.py'), join(folder, 'first.py'));
  const bots = ['ann', 'calling-station', 'tight-aggressive'];
  const played = await kit.husky(['play', ...bots, '--hands', '60', '--seed', 'cli', '--out', 'results']);
  if (played.code !== 0) throw new Error(played.stderr);
  return kit;
}
