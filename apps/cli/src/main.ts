import { styleText } from 'node:util';
import type { CommandIo } from './command.ts';
import { exitCodes } from './exit-codes.ts';
import { runCli } from './run-cli.ts';

let stop: AbortController | undefined;
/** Only a command that asks for it ends by itself; a second Ctrl-C ends the process. */
function listenForStop(): AbortSignal {
  const controller = (stop ??= new AbortController());
  process.once('SIGINT', () => controller.abort());
  return controller.signal;
}

const io: CommandIo = {
  folder: process.cwd(),
  say: (text) => process.stdout.write(text),
  warn: (text) => process.stderr.write(text),
  progress: process.stderr.isTTY ? (text) => process.stderr.write(`\r\u001B[2K${text}`) : undefined,
  // oxlint-disable-next-line node/no-process-env -- where the environment of the command enters
  environment: (name) => process.env[name] || undefined,
  get stopping() {
    return stop?.signal ?? listenForStop();
  },
  style: (look, text) => styleText(look, text, { stream: process.stdout }),
};

// A reader that has seen enough, such as `head`, is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

try {
  process.exitCode = await runCli(process.argv.slice(2), io);
} catch (error) {
  io.warn(`portcullis failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = exitCodes.fault;
}
