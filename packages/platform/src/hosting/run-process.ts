import { inspect } from 'node:util';
import { ConfigProblems, parseConfigOrThrow, type Config, type Requirement } from '../config/config.ts';
import { findMisspelled } from '../config/find-misspelled.ts';
import { createLogger } from '../log/logger.ts';
import type { Host } from './host.ts';
import { hostServices } from './host-services.ts';
import { problemText } from '../errors/problem.ts';
import { watchForEnd } from '../process/process-end.ts';
import type { Infrastructure } from '../service/infrastructure.ts';
import type { LoadService } from '../service/service.ts';
import { StartProblem } from '../errors/start-problem.ts';
import { collectStartGarbage, tuneEngine } from '../process/tune-engine.ts';

interface ProcessOptions {
  /** Name of the process in logs; one process of a name may use a data directory. */
  readonly name: string;
  /** In the order in which they start; they stop in reverse. */
  readonly services: readonly LoadService[];
  /** What must be so before the first of them starts, on top of the schema. */
  readonly prepare?: (infrastructure: Infrastructure) => Promise<void>;
  /**
   * The process is the whole gateway, so it may keep the database and the coordination itself.
   * Without it both servers must be given, since the other services would see nothing of ours.
   */
  readonly standalone?: boolean;
  /** The process can serve while the database is away, so it need not be there at the start either. */
  readonly startsWithoutDatabase?: boolean;
  /** Another process supervises it, beats and answers for its health. */
  readonly supervised?: boolean;
  /** It has the public port of the installation: what other processes mount is handed on to them. */
  readonly isEdge?: boolean;
  /** Called once when everything runs and listens. */
  readonly onReady?: (host: Host) => void;
}

/**
 * Runs services as this process, until a signal or a fault ends it: the whole of a `main.ts`, which imports their sources
 * only when asked to. What was compiled before V8 is tuned is of no use to a process that imports it after.
 * Ends with code 0 after SIGINT or SIGTERM, within SHUTDOWN_TIMEOUT and a little; with 1 when it
 * cannot start or after a fault, which is logged.
 */
export async function runProcess({ standalone = false, onReady, ...hosted }: ProcessOptions): Promise<void> {
  const config = loadConfig(standalone);
  if (config === undefined) return;
  tuneEngine();
  const log = createLogger(config).child({ service: hosted.name });
  if (hosted.supervised !== true) {
    for (const { name, meant } of findMisspelled(process.env)) log.warn(`${name} is no option; did you mean ${meant}?`);
  }
  const end = watchForEnd(log, config.SHUTDOWN_TIMEOUT);

  try {
    await using host = await hostServices({ ...hosted, config, log });
    collectStartGarbage();
    log.info(hosted.supervised === true ? 'Worker ready' : 'Ready', { port: host.edge?.port });
    onReady?.(host);
    await end.requested;
    log.info('Stopping');
  } catch (error) {
    process.exitCode = 1;
    end.request(1);
    if (error instanceof StartProblem) printProblem(error.message);
    else log.error('The process failed', { problem: inspect(error) });
  }
  end.finish();
}

const sharedStores: Requirement = {
  names: ['DATABASE_URL', 'REDIS_URL'],
  when: 'the services run as processes of their own',
};

/** Answers undefined after telling every problem of the environment. */
function loadConfig(standalone: boolean): Config | undefined {
  try {
    return parseConfigOrThrow(process.env, standalone ? [] : [sharedStores]);
  } catch (error) {
    process.exitCode = 1;
    printProblem(error instanceof ConfigProblems ? error.message : problemText(error));
    return undefined;
  }
}

const printProblem = (text: string) => void process.stderr.write(`${text}\n`);
