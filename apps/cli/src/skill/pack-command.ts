import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ArchiveRefused } from '@portcullis/core/skills/archive/archive-fault';
import { writeArchive } from '@portcullis/core/skills/archive/write-archive';
import { UnreadablePath, UsageError, type Command } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { readFolder } from './read-folder.ts';

const usage = `Usage: portcullis skill pack <folder> --output FILE

Writes the folder of a skill as a ZIP archive and prints its SHA-256. The same files give the same archive on any machine.
Links are refused, and .git is left out.

Exit codes: 0 it is written, 2 the command was not understood, 3 something could not be read or written, 4 the command failed.
`;

export const packCommand: Command = {
  usage,
  async run(parameters, io) {
    const { folder, output } = parseOrThrow(parameters);
    const archive = await pack(folder, resolve(io.folder, folder));
    try {
      await writeFile(resolve(io.folder, output), archive);
    } catch (error) {
      throw new UnreadablePath(`${output} cannot be written: ${String(error)}`);
    }
    io.say(`${createHash('sha256').update(archive).digest('hex')}  ${output}\n`);
    return exitCodes.clean;
  },
};

function parseOrThrow(parameters: readonly string[]): { readonly folder: string; readonly output: string } {
  const { values, positionals } = parse(parameters);
  const [folder, ...others] = positionals;
  if (folder === undefined || others.length > 0) throw new UsageError('Name one folder.');
  if (values.output === undefined) throw new UsageError('Name the archive with --output.');
  return { folder, output: values.output };
}

function parse(parameters: readonly string[]) {
  try {
    return parseArgs({
      args: [...parameters],
      allowPositionals: true,
      options: { output: { type: 'string', short: 'o' } },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** Throws UnreadablePath on what would not be in the archive, or would be refused in it. */
async function pack(folder: string, place: string): Promise<Uint8Array> {
  const { files, unread } = await readFolder(place).catch((error: unknown) => {
    throw error instanceof UnreadablePath ? error : new UnreadablePath(`${folder} cannot be read: ${String(error)}`);
  });
  const [first] = unread;
  if (first !== undefined) throw new UnreadablePath(`${folder}/${first.path}: ${first.reason}.`);
  if (files.length === 0) throw new UnreadablePath(`${folder} holds no files.`);
  try {
    return writeArchive(files);
  } catch (error) {
    if (error instanceof ArchiveRefused || error instanceof RangeError)
      throw new UnreadablePath(`${folder} cannot be packed: ${error.message}`);
    throw error;
  }
}
