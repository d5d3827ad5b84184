import { readOrExit, runService } from '@husky/runtime/process/lifecycle';
import { readConfig } from './config.ts';
import { start } from './start.ts';

const config = readOrExit('auth', readConfig, process.env);
await runService('auth', config.service, (life) => start(config, life));
