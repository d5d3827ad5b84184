import { fstatSync } from 'node:fs';
import { readOrExit, runService } from '@husky/runtime/process/lifecycle';
import { readConfig } from './config.ts';
import { createContext } from './context.ts';
import { Dealer } from './work/dealer.ts';

const config = readOrExit('runner', readConfig, process.env);
await runService('runner', config.process, async (life) => {
  const context = createContext(config, life.log);
  const dealer = new Dealer(context);
  life.onStop('clients', () => context.close());
  life.onStop('dealer', () => dealer.drain());
  life.readyWhen('seat host', async () => {
    if (dealer.problem !== '') throw new Error(dealer.problem);
  });
  const input = fstatSync(0);
  if (input.isFIFO() || input.isSocket()) {
    // The parent process holds the other end: when it exits, the dealer hands its match back and exits too.
    process.stdin.once('end', () => process.kill(process.pid, 'SIGTERM')).resume();
  }
  dealer.start((error) => {
    life.log.fatal({ err: error }, `the dealer failed: ${error.message}`);
    process.kill(process.pid, 'SIGTERM');
  });
});
