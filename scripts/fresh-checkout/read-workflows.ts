import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** An example of a guide that a code host would run. */
export interface Workflow {
  readonly guide: string;
  readonly host: 'GitHub' | 'GitLab';
  /** Where this repository is checked out, relative to the job's folder; beside the caller's own repository unless it is `.`. */
  readonly checkout: string;
  /** What the job runs, in order. */
  readonly commands: readonly string[];
  /** Files that the job hands on afterwards. */
  readonly reports: readonly string[];
}

const block = /^```ya?ml\n([\s\S]*?)^```$/gm;

/** The workflows among the blocks of YAML in the guides of the repository at `root`. */
export function readWorkflows(root: string): readonly Workflow[] {
  return globSync('{README.md,docs/{,integrations/}*.md}', { cwd: root })
    .sort()
    .flatMap((guide) => {
      const text = readFileSync(join(root, guide), 'utf8');
      return [...text.matchAll(block)].flatMap(([, code = '']) => readWorkflow(guide, code) ?? []);
    });
}

/** @throws for what would not be run as it is printed */
function readWorkflow(guide: string, code: string): Workflow | undefined {
  const host = /^jobs:$/m.test(code) ? 'GitHub' : /^ +script:/m.test(code) ? 'GitLab' : undefined;
  if (host === undefined) return undefined;
  const checkout = /^ +path: (\S+)$/m.exec(code)?.[1] ?? '.';
  const commands = host === 'GitHub' ? findRuns(code) : findScript(code);
  if (commands.length === 0 || commands.some((command) => /^[|>]/.test(command)))
    throw new Error(`${guide}: every command of a workflow stands on a line of its own:\n${code}`);
  const reports = [...code.matchAll(/(?:sarif_file: |junit: |\bpaths: \[)([\w.-]+)/g)].map(([, file = '']) => file);
  return { guide, host, checkout, commands, reports };
}

const findRuns = (code: string): string[] =>
  [...code.matchAll(/^ +(?:- )?run: (.+)$/gm)].map(([, command = '']) => command);

const findScript = (code: string): string[] =>
  [...code.matchAll(/^ +(?:before_|after_)?script:\n((?: +- .+\n)+)/gm)].flatMap(([, items = '']) =>
    [...items.matchAll(/^ +- (.+)$/gm)].map(([, command = '']) => command),
  );
