import { readOrExit, runService } from '@husky/runtime/process/lifecycle';
import { readConfig } from './config.ts';
import { start } from './start.ts';

const config = readOrExit('simulation', readConfig, process.env);
await runService('simulation', config.service, (life) => start(config, life));
