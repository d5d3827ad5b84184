import { auditRoutes } from './audit-routes.ts';
import { adminJobRoutes } from './job-routes.ts';
import { quotaRoutes } from './quota-routes.ts';
import { settingsRoutes } from './settings-routes.ts';
import { adminUserRoutes } from './user-routes.ts';

export const adminRoutes = [...adminUserRoutes, ...adminJobRoutes, ...auditRoutes, ...settingsRoutes, ...quotaRoutes];
