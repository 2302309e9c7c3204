import { constants } from 'node:os';
import { inspect } from 'node:util';
import type { Logger } from '../log/logger.ts';

/** How the process comes to its end. */
interface ProcessEnd {
  /** Resolves when a signal, a fault or `request` asks for the end. */
  readonly requested: Promise<void>;
  /** Asks for the end with an exit code; the first one who asks has it. */
  request(code: number): void;
  /** Everything is closed: the process ends as soon as nothing is left to do, and soon in any case. */
  finish(): void;
}

/** `npm` and the terminal both pass a Ctrl-C on: what comes this close together is one wish. */
const sameWishMs = 500;
/** After a fault, whose process should be started anew soon. */
const maxFaultDrainMs = 8_000;
/** On top of the time that exchanges in flight have: for their last words, and for closing stores and files. */
const closingMs = 2_500;
/** For sockets that close by themselves after everything was disposed. */
const lingeringMs = 250;

/**
 * Listens for what ends a process: SIGINT and SIGTERM with code 0 (a second one at once), faults
 * that were not caught with code 1. From the request on the process has `drainMs` and a little.
 */
export function watchForEnd(log: Logger, drainMs: number): ProcessEnd {
  const { promise: requested, resolve } = Promise.withResolvers<void>();
  let askedAt: number | undefined;

  const request = (code: number) => {
    if (askedAt !== undefined) return;
    askedAt = performance.now();
    process.exitCode = code;
    const grantedMs = code === 0 ? drainMs : Math.min(drainMs, maxFaultDrainMs);
    setTimeout(() => {
      log.error('Stopping took too long; what is left is broken off', { open: process.getActiveResourcesInfo() });
      process.exit(1);
    }, grantedMs + closingMs).unref();
    resolve();
  };

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (askedAt !== undefined && performance.now() - askedAt > sameWishMs) {
        process.exit(128 + constants.signals[signal]);
      }
      request(0);
    });
  }
  const onFault = (error: unknown) => {
    log.error('A fault that nothing caught ends the process', { problem: inspect(error) });
    process.exitCode = 1;
    request(1);
  };
  process.on('uncaughtException', onFault);
  process.on('unhandledRejection', onFault);

  return {
    requested,
    request,
    finish() {
      setTimeout(() => {
        log.warn('Something keeps the process open after its end', { open: process.getActiveResourcesInfo() });
        process.exit();
      }, lingeringMs).unref();
    },
  };
}
