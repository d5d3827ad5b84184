// Used by every bench: prints machine and load with the figures.
import { describeMachine, measureIdleShare, ownSeconds, readProcessorTimes } from './machine.ts';

const formatPercent = (share: number): string => `${(100 * share).toFixed(0)} %`;

/**
 * Measures the load for a second. The returned function prints machine, load and figures (Markdown); call it after the processes of the bench
 * have ended. Without figures: they have been printed already.
 */
export async function startBench() {
  const idleBefore = await measureIdleShare();
  const [timesBefore, ownBefore] = [readProcessorTimes(), ownSeconds()];
  return async (figures = ''): Promise<void> => {
    const now = readProcessorTimes();
    const busy = now.busy - timesBefore.busy;
    const all = busy + now.idle - timesBefore.idle;
    const own = ownSeconds() - ownBefore;
    const others = all <= 0 ? 0 : Math.max(0, busy - own) / all;
    process.stdout.write(
      `\n${describeMachine()}\nBefore: ${formatPercent(idleBefore)} idle. During: the bench ${own.toFixed(1)} s of processor time, ` +
        `others ${formatPercent(others)} of all processors.\n${figures === '' ? '' : `\n${figures.trim()}\n`}`,
    );
  };
}
