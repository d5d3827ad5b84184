import { runService } from '@husky/runtime/lifecycle';
import { readConfig } from './config.ts';
import { start } from './start.ts';

const config = readConfig();
await runService({ service: 'auth', ...config.service }, async (life) => {
  const port = await start(config, life);
  life.log.info(`auth answers on port ${port}`);
});
