import { once } from 'node:events';
import { createServer } from 'node:net';
import { problemCode, problemText } from '../errors/problem.ts';
import { StartProblem } from '../errors/start-problem.ts';

/** @param option whose value the port is */
export function portProblem(error: unknown, host: string, port: number, option: string): StartProblem {
  if (problemCode(error) === 'EADDRINUSE') {
    return new StartProblem(
      `Port ${port} on ${host} is already in use. Stop what listens there, or set ${option} to another one.`,
      error,
    );
  }
  return new StartProblem(`Listening on ${host} port ${port} failed: ${problemText(error)}.`, error);
}

/**
 * Takes the port for a moment, so that a start that cannot have it makes no database before it says so.
 * @throws {StartProblem}
 */
export async function checkPortIsFree(host: string, port: number): Promise<void> {
  const server = createServer();
  try {
    server.listen({ host, port });
    await once(server, 'listening');
  } catch (error) {
    throw portProblem(error, host, port, 'PORT');
  }
  server.close();
  await once(server, 'close');
}
