import { readdir, readFile, writeFile } from 'node:fs/promises';
import { z } from 'zod';

// What each loop is given, for its library to wrap: the tools of a small helper that works on files.

export const instructions = `You are an assistant that works on the files in the current folder.
Always read a file before you change it, and never write to a file that the user did not mention.
Do not ask for permission: use your tools until the work is done, then say in one sentence what you did.`;

const path = z.string().describe('Path of the file, absolute or from the current folder');

export const fileTools = {
  read_file: {
    description: 'Reads a text file and returns all of it.',
    schema: z.object({ path }),
    run: ({ path }) => readFile(path, 'utf8'),
  },
  write_file: {
    description: 'Writes a text file. You MUST give the whole content, since what was there before is overwritten.',
    schema: z.object({ path, content: z.string().describe('All of the new content') }),
    async run({ path, content }) {
      await writeFile(path, content);
      return `Wrote ${content.length} characters`;
    },
  },
  list_files: {
    description: 'Lists the names of the files in a folder.',
    schema: z.object({ folder: z.string().describe('Path of the folder; "." is the current one') }),
    run: async ({ folder }) => (await readdir(folder)).join('\n'),
  },
};
