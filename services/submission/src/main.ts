import { readOrExit, runService } from '@husky/runtime/process/lifecycle';
import { readConfig } from './config.ts';
import { start } from './start.ts';

const config = readOrExit('submission', readConfig, process.env);
await runService('submission', config.service, (life) => start(config, life));
