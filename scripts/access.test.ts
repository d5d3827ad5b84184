import {
  authService,
  leaderboardService,
  liveDataService,
  poolService,
  simulationService,
  submissionService,
} from '@husky/contracts/services';
import { expect, test } from 'vitest';
import { access as auth } from '../services/auth/src/access.ts';
import { access as leaderboard } from '../services/leaderboard/src/access.ts';
import { access as liveData } from '../services/live-data/src/access.ts';
import { access as pool } from '../services/pool/src/access.ts';
import { access as simulation } from '../services/simulation/src/access.ts';
import { access as submission } from '../services/submission/src/access.ts';

test.each([
  { contract: authService, table: auth },
  { contract: submissionService, table: submission },
  { contract: simulationService, table: simulation },
  { contract: liveDataService, table: liveData },
  { contract: leaderboardService, table: leaderboard },
  { contract: poolService, table: pool },
])('$contract.name declares an access rule for every call of its proto', ({ contract, table }) => {
  const names = Object.keys(contract.client.service).map((name) => name.charAt(0).toLowerCase() + name.slice(1));
  expect(Object.keys(table).sort()).toEqual(names.sort());
});
