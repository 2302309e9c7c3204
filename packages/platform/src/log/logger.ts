import { trace } from '@opentelemetry/api';
import { createLogger as createWinston, format, transports, type Logger } from 'winston';
import type { Config } from '../config/config.ts';

export type { Logger } from 'winston';

const traceIds = format((info) => {
  const context = trace.getActiveSpan()?.spanContext();
  if (context !== undefined) {
    info['trace_id'] = context.traceId;
    info['span_id'] = context.spanId;
  }
  return info;
});

const line = format.printf(({ timestamp, level, message, service, ...fields }) => {
  const rest = Object.keys(fields).length > 0 ? ` ${JSON.stringify(fields)}` : '';
  return `${String(timestamp)} ${level.padEnd(5)} ${typeof service === 'string' ? service : ''} ${String(message)}${rest}`;
});

const isPretty = ({ LOG_FORMAT }: Pick<Config, 'LOG_FORMAT'>): boolean =>
  LOG_FORMAT === 'auto' ? process.stderr.isTTY : LOG_FORMAT === 'pretty';

/**
 * The process' logger, to stderr. Lines are what a person should read: never keys, tokens or bodies,
 * and never one per proxied request, which goes to the spool instead.
 */
export const createLogger = (config: Pick<Config, 'LOG_LEVEL' | 'LOG_FORMAT'>): Logger =>
  createWinston({
    level: config.LOG_LEVEL,
    format: format.combine(
      format.timestamp(),
      format.errors({ stack: true }),
      traceIds(),
      isPretty(config) ? line : format.json(),
    ),
    transports: [new transports.Console({ stderrLevels: ['error', 'warn', 'info', 'debug'] })],
  });
