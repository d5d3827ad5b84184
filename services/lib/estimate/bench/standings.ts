// `make bench-standings`: measures width, bias and coverage of the four estimators' intervals. A fixed field of constructed bots plays a
// million hands, the population; its means are the true values. Each repetition draws deals of the population with replacement.
// Prints the tables of docs/methodology.md.
// FIELD: close (default) or mixed; DEAL_SETS of 1,000 deals in six rotations (default 170); THREADS (default 2).
import { Worker } from 'node:worker_threads';
import type { Sample } from '../src/clusters.ts';
import { estimateMean } from '../src/intervals.ts';
import { maxBlocks } from '../src/match-sums.ts';
import { seededRandom } from '../src/random.ts';
import { type Estimator, estimators } from '../src/standings.ts';
import { mixedStyles, type Style } from '../test/bots.ts';
import { BIG_BLIND, type DealSetsJob, type PlayedDealSet, playDealSet, SEATS } from './deal-sets.ts';

const FIELDS: Readonly<Record<string, readonly Style[]>> = {
  // Variants of one strategy.
  close: [
    { loose: 1, aggressive: 1, bluff: 0.05 },
    { loose: 0.9, aggressive: 1, bluff: 0.05 },
    { loose: 1.1, aggressive: 1, bluff: 0.05 },
    { loose: 1, aggressive: 0.9, bluff: 0.05 },
    { loose: 1, aggressive: 1, bluff: 0.1 },
    { loose: 1.2, aggressive: 1, bluff: 0.05 },
  ],
  mixed: mixedStyles,
};
const field = FIELDS[process.env.FIELD ?? 'close'] ?? [];
const SETS = Number(process.env.DEAL_SETS ?? 170);
const THREADS = Number(process.env.THREADS ?? 2);
const DEALS = 1000;
const REPETITIONS = Number(process.env.REPETITIONS ?? 1000);
/** Hands of a repetition: a match, and a deal set. */
const SIZES = [1000, 6000];
const players = [0, 1, 2, 3, 4, 5];

const print = (line = '') => process.stdout.write(`${line}\n`);
const average = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

function play(sets: readonly number[]): Promise<PlayedDealSet[]> {
  const { promise, resolve, reject } = Promise.withResolvers<PlayedDealSet[]>();
  const played: PlayedDealSet[] = [];
  const job: DealSetsJob = { field, sets, deals: DEALS };
  const worker = new Worker(new URL('./deal-sets.ts', import.meta.url), { workerData: job });
  worker.on('message', (one: PlayedDealSet) => played.push(one));
  worker.on('error', reject);
  worker.on('exit', () => resolve(played));
  return promise;
}

/** Draws a repetition: deals of the population with replacement, summed by blocks as in standings. */
function drawSamples(estimator: Estimator, hands: number, random: () => number): Sample[] {
  const duplicate = estimator.startsWith('duplicate');
  const adjusted = estimator.endsWith('adjusted');
  const perDraw = duplicate ? SEATS : 1;
  const draws = Math.floor(hands / perDraw);
  const samples = players.map(() => ({ sums: new Float64Array(maxBlocks), hands: new Float64Array(maxBlocks) }));
  for (let draw = 0; draw < draws; draw++) {
    const { raw, adjusted: values } = population[Math.floor(random() * population.length)] as PlayedDealSet;
    const nets = adjusted ? values : raw;
    const hand = Math.floor(random() * DEALS * SEATS);
    const from = duplicate ? hand - (hand % SEATS) : hand;
    const block = Math.floor((draw * maxBlocks) / draws);
    for (const [player, sample] of samples.entries()) {
      sample.hands[block] = (sample.hands[block] as number) + perDraw;
      for (let at = from; at < from + perDraw; at++) {
        sample.sums[block] = (sample.sums[block] as number) + (nets[at * SEATS + player] as number);
      }
    }
  }
  return samples;
}

const shares = Array.from({ length: THREADS }, (_, thread) =>
  Array.from({ length: SETS }, (__, set) => set + 1).filter((set) => set % THREADS === thread),
);
const population = (await Promise.all(shares.map(play))).flat();

/** Returns the mean of each player in each deal set, in chips per 100 hands. */
const bySet = (kind: keyof PlayedDealSet) =>
  population.map((set) => {
    const sums = new Array<number>(SEATS).fill(0);
    for (const [at, net] of set[kind].entries()) sums[at % SEATS] = (sums[at % SEATS] as number) + net;
    return sums.map((sum) => (100 * sum) / (DEALS * SEATS));
  });
const [rawBySet, adjustedBySet] = [bySet('raw'), bySet('adjusted')];
const truth = players.map((player) => average(rawBySet.map((set) => set[player] as number)));

print(`Field ${process.env.FIELD ?? 'close'}: ${population.length * DEALS * SEATS} hands.`);
print();
print('| bot | chips per 100 hands | adjusted less raw | standard error of this |');
print('|---|---|---|---|');
for (const player of players) {
  const bias = rawBySet.map((set, index) => (adjustedBySet[index]?.[player] as number) - (set[player] as number));
  const mean = average(bias);
  const error = Math.sqrt(bias.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (bias.length - 1) / bias.length);
  print(`| ${player + 1} | ${(truth[player] as number).toFixed(1)} | ${mean.toFixed(1)} | ${error.toFixed(1)} |`);
}
for (const hands of SIZES) {
  print();
  print(
    `| ${hands} hands, ${REPETITIONS} repetitions | mean width of the 95 % interval | raw / this | holds the truth |`,
  );
  print('|---|---|---|---|');
  let rawWidth = 0;
  for (const estimator of estimators) {
    const random = seededRandom(hands);
    const truths = truthOf(estimator);
    let [width, held, count] = [0, 0, 0];
    for (let repetition = 0; repetition < REPETITIONS; repetition++) {
      for (const [player, sample] of drawSamples(estimator, hands, random).entries()) {
        const interval = estimateMean(sample);
        if (interval === null) continue;
        const value = (truths[player] as number) / 100;
        width += 100 * (interval.high - interval.low);
        count += 1;
        if (interval.low <= value && value <= interval.high) held += 1;
      }
    }
    if (estimator === 'raw') rawWidth = width;
    print(
      `| ${estimator} | ${(width / count).toFixed(0)} | ${(rawWidth / width).toFixed(2)} | ${percent(held / count)} |`,
    );
  }
}

/** Returns the players' means in the population that the repetitions are drawn from. */
function truthOf(estimator: Estimator): number[] {
  return estimator.endsWith('adjusted')
    ? players.map((player) => average(adjustedBySet.map((set) => set[player] as number)))
    : truth;
}

// Six copies of one bot.
const COPY_SETS = 20;
let [rawEqual, bothEqual, pairs] = [0, 0, 0];
for (let set = 1; set <= COPY_SETS; set++) {
  const { raw, adjusted } = playDealSet(
    -set,
    players.map(() => field[0] as Style),
    DEALS / 4,
  );
  const means = (nets: Float64Array, rotations: number) =>
    players.map((player) =>
      average([...nets].filter((_, at) => at % SEATS === player && Math.floor(at / SEATS) % SEATS < rotations)),
    );
  const [one, both] = [means(raw, 1), means(adjusted, SEATS)];
  for (const a of players) {
    for (const b of players.slice(0, a)) {
      pairs += 1;
      if (Math.abs((one[a] as number) - (one[b] as number)) < BIG_BLIND / 100) rawEqual += 1;
      if (Math.abs((both[a] as number) - (both[b] as number)) < 1e-9) bothEqual += 1;
    }
  }
}
print();
print('| pairs of equal bots | found equal |');
print('|---|---|');
print(`| raw, to within 1 big blind per 100 hands | ${percent(rawEqual / pairs)} |`);
print(`| duplicate and adjusted, exactly | ${percent(bothEqual / pairs)} |`);
