import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface Measurement {
  /** Path of the program, which prints Markdown. */
  readonly program: string;
  readonly parameters: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly title: string;
  /** Name of the file that keeps what was printed. */
  readonly file: string;
}

/** Runs a measurement in a process of its own and keeps what it prints. Answers its exit code. */
export async function runMeasurement(
  { program, parameters, env, title, file }: Measurement,
  resultsFolder: string,
): Promise<number> {
  const child = spawn(process.execPath, [program, ...parameters], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const parts: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    parts.push(part);
    process.stdout.write(part);
  });
  const code = await new Promise<number>((resolve) => child.once('close', (status) => resolve(status ?? 1)));
  if (code !== 0) return code;
  await mkdir(resultsFolder, { recursive: true });
  await writeFile(join(resultsFolder, file), `# ${title}\n\n${parts.join('')}`);
  return code;
}
