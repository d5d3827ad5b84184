import { type Counter, metrics, trace } from '@opentelemetry/api';
import { type LoggerOptions, type Logger as PinoLogger, pino, stdTimeFunctions } from 'pino';

export type Logger = PinoLogger;

const maxWaitingBytes = 4 * 2 ** 20;

/**
 * Logs one JSON object per line to stdout, with the current trace and span ids. Fields with names of secrets are redacted. A line that
 * cannot be written, such as with ENOBUFS under memory pressure, is written with the next one. While nobody reads stdout, lines beyond 4 MiB
 * are dropped and counted.
 */
export function createLogger(service: string, level = 'info'): Logger {
  const stdout = pino.destination({ dest: 1, minLength: 0, maxLength: maxWaitingBytes });
  // Without a listener the error would end the service.
  stdout.on('error', () => undefined);
  let dropped: Counter | undefined;
  stdout.on('drop', () => {
    // Created on first use, after the start of telemetry.
    dropped ??= metrics.getMeter('husky.log').createCounter('husky.log.dropped', {
      description: 'Lines of the log that were not written, because nobody read stdout',
    });
    dropped.add(1);
  });
  const options: LoggerOptions = {
    level,
    base: { service },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: {
      paths: [
        'password',
        'token',
        'accessToken',
        'leaseToken',
        'seed',
        '*.password',
        '*.token',
        '*.accessToken',
        '*.seed',
      ],
      censor: '[cut]',
    },
    mixin: () => {
      const span = trace.getActiveSpan()?.spanContext();
      return span ? { traceId: span.traceId, spanId: span.spanId } : {};
    },
  };
  return pino(options, stdout);
}
