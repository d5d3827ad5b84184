import { trace } from '@opentelemetry/api';
import { type Logger as PinoLogger, pino, stdTimeFunctions } from 'pino';

export type Logger = PinoLogger;

/** Logs one JSON object per line to stdout, with the current trace and span ids. Fields with names of secrets are redacted. */
export function createLogger(service: string, level = 'info'): Logger {
  return pino({
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
  });
}
