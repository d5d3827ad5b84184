export type Estimate = {
  chips_per_100: number;
  low: number;
  high: number;
  standard_error: number;
  bb_per_100: number;
  bb_low: number;
  bb_high: number;
  hands: number;
};
export type EstimatorId = 'raw' | 'adjusted' | 'duplicate' | 'duplicate_adjusted';
export type PlayerEstimates = {
  username: string;
  hands: number;
  matches: number;
  deals: number;
  estimates: Record<EstimatorId, Estimate | null>;
  groups: Record<EstimatorId, number | null>;
  rating: { value: number; low: number; high: number } | null;
};
export type Pairs = {
  estimator: EstimatorId;
  usernames: string[];
  better: (number | null)[][];
  hands_needed: (number | null)[][];
};
export type StandingsAnswer = {
  scope: { batch_number: number | null; tag: string | null };
  state: 'ready' | 'computing' | 'empty';
  progress: { matches: number; of: number };
  methodology_version: number;
  computed_at: string | null;
  mode: 'classic' | 'duplicate' | 'mixed';
  matches: number;
  hands: number;
  deals: number;
  players: PlayerEstimates[];
  pairs: Pairs;
  notes: string[];
};
