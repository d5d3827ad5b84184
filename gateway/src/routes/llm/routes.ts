import { batchActionRoutes } from './action-routes.ts';
import { batchRoutes } from './batch-routes.ts';
import { batchMetadataRoutes } from './metadata-routes.ts';

export const llmRoutes = [...batchRoutes, ...batchActionRoutes, ...batchMetadataRoutes];
