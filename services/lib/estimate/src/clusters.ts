/**
 * Independent observations: what each player won in a cluster and in how many hands. Cluster c has the entries from `start[c]` up to
 * `start[c + 1]`, at most one for each player.
 */
export interface Clusters {
  readonly start: Int32Array;
  readonly player: Int32Array;
  readonly sum: Float64Array;
  readonly hands: Float64Array;
}

/** What players won in one cluster, and their hands. */
export type ClusterSums = Map<number, { sum: number; hands: number }>;

/** More clusters than this are joined: intervals take time in proportion to the square of their number. */
export const maxClusters = 250;

/** Joins clusters (cluster i goes to block i modulo `maxClusters`) and packs them. */
export function packClusters(all: readonly ClusterSums[]): Clusters {
  const blocks = all.length <= maxClusters ? all : joinClusters(all);
  const entries = blocks.reduce((sum, cluster) => sum + cluster.size, 0);
  const clusters: Clusters = {
    start: new Int32Array(blocks.length + 1),
    player: new Int32Array(entries),
    sum: new Float64Array(entries),
    hands: new Float64Array(entries),
  };
  let at = 0;
  for (const [index, cluster] of blocks.entries()) {
    for (const [player, { sum, hands }] of cluster) {
      clusters.player[at] = player;
      clusters.sum[at] = sum;
      clusters.hands[at] = hands;
      at += 1;
    }
    clusters.start[index + 1] = at;
  }
  return clusters;
}

function joinClusters(all: readonly ClusterSums[]): ClusterSums[] {
  const blocks = Array.from({ length: maxClusters }, (): ClusterSums => new Map());
  for (const [index, cluster] of all.entries()) {
    const block = blocks[index % maxClusters];
    for (const [player, { sum, hands }] of cluster) if (block !== undefined) addTo(block, player, sum, hands);
  }
  return blocks;
}

/** Adds what a player won to a cluster. */
export function addTo(cluster: ClusterSums, player: number, sum: number, hands: number): void {
  const found = cluster.get(player);
  if (found === undefined) cluster.set(player, { sum, hands });
  else {
    found.sum += sum;
    found.hands += hands;
  }
}

/** The clusters in which one player sat. */
export interface Sample {
  readonly sums: Float64Array;
  readonly hands: Float64Array;
}

/** Returns the sample of each of the first `players` players. */
export function samplesOf(clusters: Clusters, players: number): Sample[] {
  const counts = new Int32Array(players);
  for (const player of clusters.player) counts[player] = (counts[player] ?? 0) + 1;
  const samples = Array.from(counts, (count) => ({ sums: new Float64Array(count), hands: new Float64Array(count) }));
  const next = new Int32Array(players);
  for (const [entry, player] of clusters.player.entries()) {
    const sample = samples[player];
    const at = next[player] ?? 0;
    if (sample === undefined) continue;
    sample.sums[at] = clusters.sum[entry] ?? 0;
    sample.hands[at] = clusters.hands[entry] ?? 0;
    next[player] = at + 1;
  }
  return samples;
}
