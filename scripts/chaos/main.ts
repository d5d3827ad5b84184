// `make chaos`: injects faults into a platform of its own on this machine.
import { runChaos } from './driver.ts';
import { machine } from './machine.ts';

await runChaos(machine);
