import { readOrExit, runService } from '@husky/runtime/process/lifecycle';
import { readConfig } from './config.ts';
import { start } from './start.ts';

const config = readOrExit('pool', readConfig, process.env);
await runService('pool', config.service, (life) => start(config, life));
