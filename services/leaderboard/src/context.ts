import type { simulationService } from '@husky/contracts/services';
import type { LeaderboardServiceDefinition } from '@husky/contracts/types/leaderboard/v1/LeaderboardService';
import type { ServiceContext } from '@husky/runtime/process/open-service';
import type { ClientOf } from '@husky/runtime/rpc/grpc-client';
import type { Handlers } from '@husky/runtime/rpc/grpc-server';
import type { access } from './access.ts';
import type { PrismaClient } from './generated/client.ts';

/** Dependencies of the handlers. */
export interface Context extends ServiceContext<PrismaClient> {
  readonly simulation: ClientOf<typeof simulationService>;
}

export type LeaderboardHandlers = Handlers<LeaderboardServiceDefinition, typeof access>;
