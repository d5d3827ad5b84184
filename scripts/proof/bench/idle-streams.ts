// `make bench-streams`: measures the cost of idle event streams of one address: memory of gateway and live-data and latency of reads,
// without and with the streams. STREAMS (default 600). The platform has no limits on streams; refused streams are counted.
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { registerVerified } from '../../demo/accounts.ts';
import { Api } from '../../demo/api.ts';
import { startOwnPlatform, withoutLimits } from '../../up/own-platform.ts';
import { partsOf, sample } from '../load/processor-time.ts';
import { BenchRun } from './bench-run.ts';
import { describeSpread, quantile } from './spread.ts';

const streams = Number(process.env.STREAMS ?? 600);
const reads = 200;
const slowBot = `import time
from bot import Bot
from type.poker_action import PokerAction

class SimplePlayer(Bot):
    def on_start(self, *args): pass
    def on_round_start(self, *args): pass
    def get_action(self, *args):
        time.sleep(4)
        return PokerAction.CALL, 0
    def on_end_round(self, *args): pass
    def on_end_game(self, *args): pass
`;

const run = await BenchRun.start('Idle event streams');
const lines: string[] = [];
const platform = await startOwnPlatform(withoutLimits);
try {
  const admin = await new Api(platform.origin).signIn(platform.admin);
  const owner = await registerVerified(admin, 'watched');
  const files = {
    python_file: { name: 'player.py', text: slowBot },
    packages_file: { name: 'requirements.txt', text: '' },
  };
  const { job_id } = await owner.upload<{ job_id: string }>('/sim/async_run', files);
  const path = `${platform.origin}/live/job/${job_id}/events`;
  const headers = { authorization: `Bearer ${owner.token}` };

  const rssMib = (service: string) => {
    const status = readFileSync(`/proc/${platform.pidOf(service)}/status`, 'utf8');
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
  };
  const services = ['gateway', 'live-data'];
  const cpuS = () => {
    const { seconds } = sample(partsOf(platform));
    return services.map((service) => seconds.get(service) ?? 0);
  };
  const measure = async () => {
    const cpu = cpuS();
    const started = performance.now();
    const timesMs: number[] = [];
    for (let read = 0; read < reads; read++) {
      const from = performance.now();
      await (await fetch(`${platform.origin}/leaderboard/top/5?tag=2025`)).arrayBuffer();
      timesMs.push(performance.now() - from);
      await wait(20);
    }
    const seconds = (performance.now() - started) / 1000;
    const load = cpuS().map((now, at) => (((now - (cpu[at] ?? 0)) / seconds) * 100).toFixed(0));
    const memory = services.map((service) => `${service} ${rssMib(service)} MiB`);
    const latency = `p50 ${quantile(timesMs, 0.5).toFixed(1)} ms, p95 ${quantile(timesMs, 0.95).toFixed(1)} ms (${describeSpread(timesMs)})`;
    return `RSS ${memory.join(', ')}; CPU ${load.join(' % and ')} %; ${reads} reads ${latency}`;
  };

  await wait(3000);
  lines.push(`- without streams: ${await measure()}`);
  const abort = new AbortController();
  const statuses = new Map<number, number>();
  for (let opened = 0; opened < streams; opened += 50) {
    await Promise.all(
      Array.from({ length: Math.min(50, streams - opened) }, async () => {
        const response = await fetch(path, { headers, signal: abort.signal });
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
        if (response.status !== 200) return response.arrayBuffer();
        void response.body?.pipeTo(new WritableStream()).catch(() => undefined);
      }),
    );
  }
  const responses = [...statuses].map(([status, count]) => `${count} with status ${status}`).join(', ');
  lines.push(`- with ${streams} streams of one address (${responses}): ${await measure()}`);
  abort.abort();
} finally {
  await platform.stop();
}
await run.finish(lines.join('\n'));
