import { trace } from '@opentelemetry/api';
import { type LoggerOptions, type Logger as PinoLogger, pino, stdTimeFunctions } from 'pino';

export type Logger = PinoLogger;

/**
 * Logs one JSON object per line to stdout, with the current trace and span ids. Fields with names of secrets are redacted. A line that
 * cannot be written, such as with ENOBUFS under memory pressure, is written with the next one.
 */
export function createLogger(service: string, level = 'info'): Logger {
  const stdout = pino.destination(1);
  // Without a listener the error would end the service.
  stdout.on('error', () => undefined);
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
