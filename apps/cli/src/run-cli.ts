import { allCommands } from './all-commands.ts';
import { UnreadablePath, UsageError, type CommandIo } from './command.ts';
import { exitCodes, type ExitCode } from './exit-codes.ts';
import { GatewayRefusal } from './gateway-refusal.ts';

const overview = (): string => {
  const rows = allCommands.map(({ words, summary }) => `  portcullis ${words.join(' ').padEnd(12)} ${summary}`);
  return [
    'Usage: portcullis <command> [options]',
    '',
    ...rows,
    '',
    'portcullis <command> --help shows more of it.',
    'Exit codes: 0 nothing reached the threshold, 1 something did, 2 the command was not understood,',
    '3 something could not be read or written, 4 the command failed.',
    '',
  ].join('\n');
};

/** Runs what the parameters name; answers the exit code. */
export async function runCli(parameters: readonly string[], io: CommandIo): Promise<ExitCode> {
  const row = allCommands.find(({ words }) => words.every((word, index) => parameters[index] === word));
  if (row === undefined) return runNothing(parameters, io);
  const command = await row.load();
  const rest = parameters.slice(row.words.length);
  if (rest.includes('--help') || rest.includes('-h')) {
    io.say(command.usage);
    return exitCodes.clean;
  }
  try {
    return await command.run(rest, io);
  } catch (error) {
    if (error instanceof UsageError) {
      io.warn(`${error.message}\nportcullis ${row.words.join(' ')} --help shows what it takes.\n`);
      return exitCodes.usage;
    }
    if (error instanceof UnreadablePath || error instanceof GatewayRefusal) {
      io.warn(`${error.message}\n`);
      return exitCodes.unreadable;
    }
    throw error;
  }
}

function runNothing(parameters: readonly string[], io: CommandIo): ExitCode {
  if (parameters.length === 0 || parameters.some((one) => ['--help', '-h', 'help'].includes(one))) {
    io.say(overview());
    return exitCodes.clean;
  }
  const words = parameters.filter((one) => !one.startsWith('-')).slice(0, 2);
  io.warn(`There is no command "${words.join(' ')}".\n\n${overview()}`);
  return exitCodes.usage;
}
