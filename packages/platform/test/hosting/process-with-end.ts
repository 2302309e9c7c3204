// Started by process-end.test.ts: a process that ends as its parameter says.
import { createLogger } from '../../src/log/logger.ts';
import { watchForEnd } from '../../src/process/process-end.ts';

const [behaviour = '', drainMs = '300'] = process.argv.slice(2);
const end = watchForEnd(createLogger({ LOG_LEVEL: 'info', LOG_FORMAT: 'json' }), Number(drainMs));
const work = setInterval(() => undefined, 60_000);
process.stdout.write('up\n');

const behaviours: Record<string, () => Promise<void> | void> = {
  drains: () => clearInterval(work),
  // Never comes to its end, while something keeps the process alive.
  hangs: () => new Promise(() => undefined),
  // Disposed of everything, yet something was forgotten.
  lingers: () => undefined,
  throws: () => clearInterval(work),
  rejects: () => clearInterval(work),
};

if (behaviour === 'throws') {
  setImmediate(() => {
    throw new Error('a fault of the test');
  });
}
if (behaviour === 'rejects') void Promise.reject(new Error('a fault of the test'));

await end.requested;
process.stdout.write('stopping\n');
await behaviours[behaviour]?.();
end.finish();
