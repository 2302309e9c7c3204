import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { findFreePort } from '@portcullis/testkit/free-port';
import { waitFor } from '@portcullis/testkit/wait-for';

const require = createRequire(import.meta.url);
const program = require.resolve('@modelcontextprotocol/server-everything/dist/index.js');

/** The transports of the server `everything`, as it names them, and where it has each. */
export const everythingWires = { sse: '/sse', streamableHttp: '/mcp' } as const;
export type EverythingWire = keyof typeof everythingWires;

export interface EverythingServer extends AsyncDisposable {
  /** Origin, without the path of the transport. */
  readonly url: string;
}

/** The server that the makers of MCP show everything with, unmodified, in a process of its own. */
export async function startEverything(wire: EverythingWire): Promise<EverythingServer> {
  const port = await findFreePort();
  const child = spawn(process.execPath, [program, wire], {
    env: { ...process.env, PORT: String(port) },
    stdio: 'ignore',
  });
  const exited = once(child, 'exit');
  await waitFor(() => isOpen(port), { what: 'the server everything to listen' });
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
