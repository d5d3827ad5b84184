type Matrix = readonly (readonly number[])[];

/** Returns the lower triangle $L$ with $L L^T$ equal to a positive definite matrix. */
export function choleskyOf(matrix: Matrix): number[][] {
  const root = matrix.map((row) => row.map(() => 0));
  for (const [row, values] of matrix.entries()) {
    const own = root[row] as number[];
    for (let column = 0; column <= row; column++) {
      const other = root[column] as number[];
      let left = values[column] as number;
      for (let k = 0; k < column; k++) left -= (own[k] as number) * (other[k] as number);
      own[column] = column === row ? Math.sqrt(left) : left / (other[column] as number);
    }
  }
  return root;
}

/** Returns $L^{-1} x$. */
export function forward(root: Matrix, values: readonly number[]): number[] {
  const solved: number[] = [];
  for (const [row, own] of root.entries()) {
    let left = values[row] as number;
    for (let k = 0; k < row; k++) left -= (own[k] as number) * (solved[k] as number);
    solved.push(left / (own[row] as number));
  }
  return solved;
}

/** Returns $(L L^T)^{-1} x$. */
export function solve(root: Matrix, values: readonly number[]): number[] {
  const solved = forward(root, values);
  for (let row = root.length - 1; row >= 0; row--) {
    let left = solved[row] as number;
    for (let k = row + 1; k < root.length; k++) left -= (root[k]?.[row] as number) * (solved[k] as number);
    solved[row] = left / (root[row]?.[row] as number);
  }
  return solved;
}
