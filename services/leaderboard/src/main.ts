import { readOrExit, runService } from '@husky/runtime/process/lifecycle';
import { readConfig } from './config.ts';
import { start } from './start.ts';

const config = readOrExit('leaderboard', readConfig, process.env);
await runService('leaderboard', config.service, (life) => start(config, life));
