import { createHash } from 'node:crypto';

/** What a requirements.txt asks for, as `checker/requirements_file.py` reads it. */
export interface Requirements {
  /** A line for each package, normalised and sorted: `numpy<2,>=1.26`, also `treys==0.1.8 --hash=sha256:…`; options first: `--pre`. */
  readonly lines: readonly string[];
  /** Hex SHA-256 of the lines. */
  readonly hash: string;
}

export function requirementsOf(lines: readonly string[]): Requirements {
  return { lines, hash: createHash('sha256').update(lines.join('\n')).digest('hex') };
}

export const noRequirements = requirementsOf([]);
