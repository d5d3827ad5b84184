// `make bench-standings`: coverage and width of the intervals of standings beside those of Student's t, and false differences, in populations
// with known means.
// REPETITIONS (default 1000), WORLD (a part of a name), SIZES (groups of matches), THREADS (default 2).
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { estimateMeans, fieldOf, handsOf, observe } from '../src/field.ts';
import { type Interval, per100, studentQuantile } from '../src/intervals.ts';
import { comparePairs, type Pairs } from '../src/pairs.ts';
import { playGroups, Random, STACK, type World, worlds } from './worlds.ts';

const REPETITIONS = Number(process.env.REPETITIONS ?? 1000);
const SIZES = (process.env.SIZES ?? '1,6,28,112').split(',').map(Number);
const THREADS = Number(process.env.THREADS ?? 2);
const TRUTH_GROUPS = 60_000;

interface Row {
  readonly order: number;
  readonly text: string;
}

interface Truth {
  readonly mean: number;
  readonly error: number;
}

/** Returns each player's chips per 100 hands in the whole population. */
function truthOf(world: World): Truth[] {
  const random = new Random(1);
  const sums = Array.from({ length: world.players }, () => ({ groups: [] as number[], hands: 0 }));
  const batch = 28 * world.players;
  for (let groups = 0; groups < TRUTH_GROUPS / world.rotations; groups += batch) {
    const won = sums.map(() => 0);
    for (const { players, blocks } of playGroups(world, batch, random)) {
      const hands = blocks.hands.reduce((sum, count) => sum + count, 0);
      for (const player of players) (sums[Number(player)] as { hands: number }).hands += hands;
      for (const [at, value] of (blocks.sums.raw ?? []).entries()) {
        const player = Number(players[at % blocks.seats]);
        won[player] = (won[player] ?? 0) + value;
      }
    }
    for (const [player, value] of won.entries()) sums[player]?.groups.push(value);
  }
  return sums.map(({ groups, hands }) => {
    const total = groups.reduce((sum, value) => sum + value, 0);
    const mean = total / groups.length;
    const variance = groups.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (groups.length - 1);
    return { mean: (100 * total) / hands, error: (100 * Math.sqrt(variance * groups.length)) / hands };
  });
}

type Matches = ReturnType<typeof playGroups>;

/** Raw chips for each hand by player, and their comparisons. */
interface Found {
  readonly intervals: readonly (Interval & { readonly player: string })[];
  readonly players: readonly string[];
  readonly pairs: Pairs;
}

/** Computes only what is measured. */
function compute(matches: Matches): Found {
  const field = fieldOf(matches);
  const observed = observe(field, field.groups, 'raw');
  const { clusters, blocks, limits } = observed;
  const players = field.ids;
  const intervals = estimateMeans(observed).flatMap((interval, index) =>
    interval === null ? [] : [{ player: players[index] as string, ...per100(interval) }],
  );
  return { intervals, players, pairs: comparePairs(clusters, limits, blocks) };
}

/** Returns whether a pair is told apart although it is equal, or the other way round. */
function isWrong({ players, pairs }: Found, truth: readonly Truth[]): boolean {
  return players.some((one, i) =>
    players.some((two, j) => {
      // The row is found better.
      if (!pairs.significant[i]?.[j] || (pairs.better[i]?.[j] ?? 0) < 0.5) return false;
      const [a, b] = [truth[Number(one)] as Truth, truth[Number(two)] as Truth];
      return a.mean - b.mean < 4 * Math.hypot(a.error, b.error);
    }),
  );
}

const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
const percent = (share: number) => (Number.isNaN(share) ? '-' : `${(100 * share).toFixed(1)} %`);

function measure(world: World, truth: readonly Truth[], groups: number) {
  const random = new Random(groups);
  let [held, heldByT, count, wrong, outside] = [0, 0, 0, 0, 0];
  const [widths, widthsOfT]: [number[], number[]] = [[], []];
  for (let repetition = 0; repetition < REPETITIONS; repetition++) {
    const matches = playGroups(world, groups, random);
    const found = compute(matches);
    if (isWrong(found, truth)) wrong += 1;
    for (const { player, low, high, mean: estimate, standardError } of found.intervals) {
      const own = matches.filter(({ players }) => players.includes(player));
      const least = (-100 * STACK * own.length) / own.reduce((sum, { blocks }) => sum + handsOf(blocks), 0);
      const rate = (truth[Number(player)] as Truth).mean;
      // In matches that happen to be long, the rate of a bot that nearly always loses its stack is beyond what is possible.
      const mean = world.stacks === 'carry' ? Math.max(rate, least) : rate;
      count += 1;
      widths.push(high - low);
      if (low <= mean + 1e-6 && mean <= high + 1e-6) held += 1;
      const half = studentQuantile(0.975, new Set(own.map(({ seed }) => seed)).size - 1) * standardError;
      widthsOfT.push(2 * half);
      if (Math.abs(estimate - mean) <= half) heldByT += 1;
      if (world.stacks === 'carry' && (low < least - 1e-6 || high > -5 * least + 1e-6)) outside += 1;
    }
  }
  const [coverage, coverageOfT] = [held / count, heldByT / count];
  return {
    coverage,
    coverageOfT,
    width: median(widths),
    widthOfT: median(widthsOfT),
    wrong: wrong / REPETITIONS,
    outside,
  };
}

function measureWorld(index: number): Row[] {
  const world = worlds[index] as World;
  const truth = truthOf(world);
  return SIZES.map((groups, order) => {
    const { coverage, coverageOfT, width, widthOfT, wrong, outside } = measure(world, truth, groups);
    const cells = [
      world.name,
      world.rotations === 1 ? 'classic' : 'duplicate',
      groups,
      percent(coverage),
      Number.isNaN(width) ? '-' : width.toFixed(0),
      percent(coverageOfT),
      Number.isNaN(width) ? '-' : widthOfT.toFixed(0),
      percent(wrong),
      outside,
    ];
    return { order: index * SIZES.length + order, text: `| ${cells.join(' | ')} |` };
  });
}

if (isMainThread) {
  const wanted = [...worlds.keys()].filter((index) => worlds[index]?.name.includes(process.env.WORLD ?? ''));
  const rows: Row[] = [];
  const queue = [...wanted];
  await Promise.all(
    Array.from({ length: Math.min(THREADS, queue.length) }, async () => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const { promise, resolve, reject } = Promise.withResolvers<Row[]>();
        const worker = new Worker(new URL(import.meta.url), { workerData: next });
        worker.on('message', resolve);
        worker.on('error', reject);
        rows.push(...(await promise));
        await worker.terminate();
      }
    }),
  );
  const columns = [
    'population',
    'play',
    'groups',
    'holds the truth',
    'median width',
    'Student holds',
    'median width',
    'false differences',
    'impossible ends',
  ];
  process.stdout.write(`| ${columns.join(' | ')} |\n|${columns.map(() => '---|').join('')}\n`);
  for (const { text } of rows.sort((a, b) => a.order - b.order)) process.stdout.write(`${text}\n`);
} else {
  parentPort?.postMessage(measureWorld(workerData as number));
}
