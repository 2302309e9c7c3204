import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';

const require = createRequire(import.meta.url);
const inspector = require.resolve('@modelcontextprotocol/inspector/clients/launcher/build/index.js');

export interface Inspection {
  /** 0 is well, 5 a tool that failed or is not there. */
  readonly code: number;
  readonly output: string;
}

/** Lets the command line of the official inspector call an MCP server over Streamable HTTP. */
export const inspectMcp = (url: string, ...asked: readonly string[]): Promise<Inspection> =>
  promisify(execFile)(process.execPath, [
    inspector,
    '--cli',
    url,
    '--transport',
    'http',
    '--format',
    'json',
    ...asked,
  ]).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    (error: { readonly code: number; readonly stdout: string; readonly stderr: string }) => ({
      code: error.code,
      output: `${error.stdout}${error.stderr}`,
    }),
  );
