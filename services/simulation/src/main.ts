import { runService } from '@husky/runtime/lifecycle';
import { readConfig } from './config.ts';
import { start } from './start.ts';

const config = readConfig(process.env);

await runService(
  {
    service: 'simulation',
    logLevel: config.LOG_LEVEL,
    opsAddress: config.OPS_ADDRESS,
    otlpEndpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT,
  },
  async (life) => {
    await start(config, life);
  },
);
