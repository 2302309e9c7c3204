import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { UnreadablePath, type Command, type CommandIo } from '../command.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { openScanner } from './open-scanner.ts';
import { renderScanJson } from './render-scan-json.ts';
import { renderRules, renderRulesJson } from './render-rules.ts';
import { renderSarif } from './render-sarif.ts';
import { renderScanTable } from './render-scan-table.ts';
import { formats, leastScoreOf, parseScanOptions, thresholds, type Format, type ScanOptions } from './scan-options.ts';
import { scanTargets, type ScanResult } from './scan-target.ts';

const usage = `Usage: portcullis skill scan <folder|zip|file>... [options]

Tells what skills would do before an agent runs them. Nothing in them is run, and nothing leaves this machine.
In a folder each folder with a SKILL.md is a skill, and what lies outside of them is judged together.
Links are not followed; of .git, .hg and .svn in a skill all is read but what is packed there. What was not read is reported.

  --format ${formats.join('|')}   format of the output; table by default
  --output FILE               writes it to a file
  --fail-on ${thresholds.join('|')}
                              the level from which the command ends with 1; high by default
  --rules                     lists the rules instead

Exit codes: 0 no skill reached the level, 1 one did, 2 the command was not understood,
3 something could not be read or written, or an archive was refused, 4 the command failed.
`;

const renderers: Readonly<Record<Format, (result: ScanResult, options: ScanOptions, io: CommandIo) => string>> = {
  table: renderScanTable,
  json: renderScanJson,
  sarif: (result, _options, io) => renderSarif(result, io.folder),
};

export const scanCommand: Command = {
  usage,
  async run(parameters, io): Promise<ExitCode> {
    const options = parseScanOptions(parameters);
    if (options.rules) {
      await write(options.format === 'table' ? renderRules() : renderRulesJson(), options, io);
      return exitCodes.clean;
    }
    const result = await scanTargets(await openScanner(), io.folder, options.paths);
    await write(renderers[options.format](result, options, io), options, io);
    if (result.skills.some(({ assessment }) => assessment.score >= leastScoreOf[options.failOn]))
      return exitCodes.threshold;
    // What was not read may hold anything: a build that asks for a level is not told that all is well.
    const isUnread =
      options.failOn !== 'never' && result.skills.some(({ assessment }) => assessment.incomplete.length > 0);
    return result.refused.length > 0 || isUnread ? exitCodes.unreadable : exitCodes.clean;
  },
};

async function write(text: string, { output }: ScanOptions, io: CommandIo): Promise<void> {
  if (output === undefined) {
    io.say(text);
    return;
  }
  try {
    await writeFile(resolve(io.folder, output), text);
  } catch (error) {
    throw new UnreadablePath(`${output} cannot be written: ${error instanceof Error ? error.message : String(error)}`);
  }
}
