/** What a ladder knows of a player beside the matrix. */
export interface LadderEntry {
  /** Estimate, in chips per 100 hands. */
  strength: number;
  hands: number;
  sets: number;
  /** Weighted sums over the sets: of unbiased estimates of the variance of 100 hands, of squared standardised residuals, of the weights. */
  noise: number;
  surprise: number;
  weight: number;
  /** Variance of the estimate when the player was retired; only of one that was. */
  variance?: number;
}

export interface LadderState {
  readonly version: number;
  readonly bigBlind: number;
  sets: number;
  /** The same sums over all seats. */
  noise: number;
  weight: number;
  /** In the order of the matrix. */
  players: string[];
  entries: Record<string, LadderEntry>;
}

const numberBytes = 8;

/** Writes the length of the state as JSON, the state, and the lower triangle of the covariances: 4 MB for 1,000 players. */
export function encodeLadder(state: LadderState, covariance: (row: number, column: number) => number): Uint8Array {
  const json = Buffer.from(JSON.stringify(state));
  const size = state.players.length;
  const bytes = Buffer.alloc(4 + json.length + (numberBytes * size * (size + 1)) / 2);
  bytes.writeUInt32LE(json.length);
  json.copy(bytes, 4);
  let at = 4 + json.length;
  for (let row = 0; row < size; row++)
    for (let column = 0; column <= row; column++) at = bytes.writeDoubleLE(covariance(row, column), at);
  return bytes;
}

/** Reads what `encodeLadder` wrote: the state and all covariances by rows. Throws for other bytes. */
export function decodeLadder(given: Uint8Array): { state: LadderState; covariance: Float64Array } {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
  let at = 4 + bytes.readUInt32LE();
  const state = JSON.parse(bytes.toString('utf8', 4, at)) as LadderState;
  const size = state.players.length;
  const covariance = new Float64Array(size * size);
  for (let row = 0; row < size; row++) {
    for (let column = 0; column <= row; column++) {
      const value = bytes.readDoubleLE(at);
      covariance[row * size + column] = value;
      covariance[column * size + row] = value;
      at += numberBytes;
    }
  }
  return { state, covariance };
}
