import { runService } from '@husky/runtime/lifecycle';
import { readConfig } from './config.ts';
import { start } from './start.ts';

const config = readConfig();
await runService({ service: 'leaderboard', ...config.service }, async (life) => {
  const { port } = await start(config, life);
  life.log.info(`leaderboard answers on port ${port}`);
});
