// The bots of a batch: those of a folder, and the same with a clock around their own code.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface BenchBot {
  readonly source: string;
  readonly requirements: string;
}

/** Reads the bots of a folder: Python files, or folders with player.py; requirements in a text file of the same name, or requirements.txt. Throws if there are none. */
export function readBots(folder: string): BenchBot[] {
  const textOf = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : '');
  const found = readdirSync(folder, { withFileTypes: true }).flatMap((entry): BenchBot[] => {
    const path = join(folder, entry.name);
    if (entry.isFile() && entry.name.endsWith('.py'))
      return [{ source: textOf(path), requirements: textOf(path.replace(/py$/, 'txt')) }];
    const source = entry.isDirectory() ? textOf(join(path, 'player.py')) : '';
    return source === '' ? [] : [{ source, requirements: textOf(join(path, 'requirements.txt')) }];
  });
  if (found.length === 0) throw new Error(`${folder} has no bots`);
  return found;
}

// Measures the cost of the clock on an empty call. Callbacks with an empty body stay as they are, because the platform does not call them.
const clock = `

def _clocked():
    from time import thread_time_ns as now
    loaded = now() - _loading
    def empty(): pass
    spent = [0, 0, 0]
    def clocked(method, at):
        def call(*arguments):
            begun = now()
            try:
                return method(*arguments)
            finally:
                spent[0] += now() - begun
                spent[1] += 1
                spent[2] += at
        return call
    probe = clocked(empty, 0)
    for _ in range(20_000): probe()
    cost = spent[0] / spent[1]
    spent[:] = [0, 0, 0]
    methods = {name: getattr(SimplePlayer, name) for name in ("on_start", "on_round_start", "get_action", "on_end_round", "on_end_game")}
    own = {name: clocked(method, name == "get_action") for name, method in methods.items() if len(method.__code__.co_code) > 6}
    def set_id(self, player_id):
        super(timed, self).set_id(player_id)
        print("own", round(spent[0] - cost * spent[1]), spent[2], loaded)
    timed = type("SimplePlayer", (SimplePlayer,), {**own, "set_id": set_id})
    return timed

SimplePlayer = _clocked()
`;

const loading = 'from time import thread_time_ns as _loading; _loading = _loading()\n';

/**
 * Returns the bot with a clock of its thread's processor time around its methods, and around its module with the packages that it imports. It
 * prints "own", nanoseconds and decisions so far, and the nanoseconds of its module at each hand.
 */
export const withClock = ({ source, requirements }: BenchBot): BenchBot => ({
  // Statements about the future come first.
  source: `${source.replace(/^(?:[\s\S]*^from __future__ .*\n)?/m, (future) => future + loading)}${clock}`,
  requirements,
});

/** Returns the own processor time, the decisions, and the time of loading their modules of bots with a clock, from their logs. */
export function readClocks(logs: readonly string[]): { ownMs: number; acts: number; loadMs: number } {
  let [ownMs, acts, loadMs] = [0, 0, 0];
  for (const log of logs) {
    const last = [...log.matchAll(/^own (-?\d+) (\d+) (\d+)$/gm)].at(-1);
    ownMs += Number(last?.[1] ?? 0) / 1e6;
    acts += Number(last?.[2] ?? 0);
    loadMs += Number(last?.[3] ?? 0) / 1e6;
  }
  return { ownMs, acts, loadMs };
}
