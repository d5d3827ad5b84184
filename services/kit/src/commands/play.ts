import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readLike } from '../play/like.ts';
import { planMatches } from '../play/plan.ts';
import { PlayPool } from '../play/pool.ts';
import type { PlayRequest } from '../play/request.ts';
import { resultsOf } from '../play/results.ts';
import { Stage } from '../play/stage.ts';
import { KitError, send } from '../wire.ts';

/** The command `play` with a PlayRequest. Sends the event `sandbox` once, and `progress` with hands done and planned. */
export async function play(given: Readonly<Record<string, unknown>>, stop: AbortSignal): Promise<object> {
  // Checked by husky_holdem/commands/play.py, which is part of the same wheel.
  const request = given as unknown as PlayRequest;
  const like = request.like === null ? null : await readLike(request.like);
  if (like !== null && like.names.length !== request.bots.length)
    throw new KitError(
      2,
      `${request.like} has ${like.names.length} players: name a bot for each, in the order of seats`,
    );
  const plans = planMatches(request, like);
  const first = plans[0];
  if (first === undefined) throw new KitError(2, 'there is no match to play');
  const stage = request.out === null ? null : new Stage(request.out);
  const temporary = mkdtempSync(join(request.temporary_folder, 'husky-'));
  try {
    chmodSync(temporary, 0o755);
    const began = performance.now();
    const pool = new PlayPool(request, temporary, {
      onSandbox: (sandbox) => send({ event: 'sandbox', ...sandbox }),
      onHands: (done, total) => send({ event: 'progress', done, total }),
    });
    const folderOf = (index: number) => {
      if (stage === null) return null;
      return plans.length === 1 ? stage.folder : join(stage.folder, `match-${String(index + 1).padStart(4, '0')}`);
    };
    const matches = await pool.play(
      plans.map((plan) => ({ plan, folder: folderOf(plan.index) })),
      stop,
    );
    const seconds = (performance.now() - began) / 1000;
    stop.throwIfAborted();
    const hands = matches.reduce((sum, match) => sum + match.hands, 0);
    const result = {
      settings: first.settings,
      matches: matches.map(({ nets: _, adjusted: __, ...match }) => match),
      bots: resultsOf(request, first.settings, matches),
      hands,
      seconds,
      hands_per_second: hands / Math.max(0.001, matches.reduce((sum, match) => sum + match.play_ms, 0) / 1000),
      out: request.out,
    };
    if (stage !== null) {
      writeFileSync(join(stage.folder, 'result.json'), `${JSON.stringify(result, null, 2)}\n`);
      chmodSync(stage.folder, 0o755);
      stage.commit();
    }
    return result;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
    stage?.discard();
  }
}
