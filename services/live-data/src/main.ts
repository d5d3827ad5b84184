import { readOrExit, runService } from '@husky/runtime/process/lifecycle';
import { readConfig } from './config.ts';
import { start } from './start.ts';

const config = readOrExit('live-data', readConfig, process.env);
await runService('live-data', config.service, (life) => start(config, life));
