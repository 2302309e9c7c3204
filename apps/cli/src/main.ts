import { styleText } from 'node:util';
import type { CommandIo } from './command.ts';
import { exitCodes } from './exit-codes.ts';
import { runCli } from './run-cli.ts';

const io: CommandIo = {
  folder: process.cwd(),
  say: (text) => process.stdout.write(text),
  complain: (text) => process.stderr.write(text),
  style: (look, text) => styleText(look, text, { stream: process.stdout }),
};

// A reader that has seen enough, such as `head`, is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

try {
  process.exitCode = await runCli(process.argv.slice(2), io);
} catch (error) {
  io.complain(`portcullis failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = exitCodes.fault;
}
