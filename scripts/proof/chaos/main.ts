// `make chaos`: injects faults into a separate platform on this machine.
import { runChaos } from './driver.ts';
import { machine } from './machine.ts';

await runChaos(machine);
