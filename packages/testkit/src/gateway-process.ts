import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const root = join(import.meta.dirname, '../../..');

/** Nothing of the caller's environment may decide what the gateway does. */
const usualEnvironment = {
  PATH: process.env['PATH'],
  HOST: '127.0.0.1',
  PORT: '0',
  LOG_FORMAT: 'json',
  // As `npm start` has it: compiling the sources is most of a start.
  NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled/services'),
};

/** A process of the gateway, as a person would start it. */
export interface GatewayProcess {
  readonly child: ChildProcess;
  /** Lines of stdout and stderr so far. */
  readonly output: readonly string[];
  /** Port of the public edge; undefined for a process without one. */
  readonly port: number | undefined;
  /**
   * Sends the signal and resolves with the exit code, null when the signal killed it: as soon as its workers have ended
   * too and the last line of `output` is there.
   */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Runs an app's main.ts and resolves as soon as it ends, or its log says that it is ready. */
export async function startGatewayProcess(
  app: 'gateway' | 'management-api' | 'proxy-runtime' | 'notifier' | 'a2a-hub' | 'skill-hub' | 'guardrails-worker',
  environment: Readonly<Record<string, string>>,
): Promise<GatewayProcess> {
  const child = spawn(process.execPath, [join(root, 'apps', app, 'src/main.ts')], {
    cwd: root,
    env: { ...usualEnvironment, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // A test run that is broken off must not leave gateways behind.
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  const output: string[] = [];
  const closed = once(child, 'close').finally(() => process.off('exit', kill));

  const ready = new Promise<number | undefined>((resolve, reject) => {
    const read = (line: string): void => {
      output.push(line);
      const entry = parseLine(line);
      if (entry?.message === 'Ready') resolve(entry.port);
    };
    createInterface({ input: child.stdout }).on('line', read);
    createInterface({ input: child.stderr }).on('line', read);
    void closed.then(([code]: unknown[]) => reject(new StartFailed(app, Number(code), output)));
  });

  return {
    child,
    output,
    port: await ready,
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      await closed;
      return child.exitCode;
    },
  };
}

/** The process ended before it was ready. */
export class StartFailed extends Error {
  readonly exitCode: number;
  readonly output: readonly string[];

  constructor(app: string, exitCode: number, output: readonly string[]) {
    super(`${app} ended with code ${exitCode} before it was ready:\n${output.join('\n')}`);
    this.name = 'StartFailed';
    this.exitCode = exitCode;
    this.output = output;
  }
}

function parseLine(line: string): { message?: string; port?: number } | undefined {
  try {
    return JSON.parse(line) as { message?: string; port?: number };
  } catch {
    return undefined;
  }
}
