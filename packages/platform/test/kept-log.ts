import { PassThrough } from 'node:stream';
import { createLogger, format, transports, type Logger } from 'winston';

/** A log that keeps its lines, parsed. */
export function createKeptLog(): { readonly log: Logger; readonly lines: readonly unknown[] } {
  const lines: unknown[] = [];
  const stream = new PassThrough().setEncoding('utf8');
  stream.on('data', (line: string) => lines.push(JSON.parse(line)));
  return { lines, log: createLogger({ format: format.json(), transports: [new transports.Stream({ stream })] }) };
}
