import type { Command } from './command.ts';

interface CommandRow {
  /** What is typed behind `portcullis`. */
  readonly words: readonly string[];
  readonly summary: string;
  /** Sources are read only when it is the command's turn. */
  load(): Promise<Command>;
}

/** Each group of commands has its folder. */
export const allCommands: readonly CommandRow[] = [
  {
    words: ['skill', 'scan'],
    summary: 'shows what a skill would do before it runs: a folder, a ZIP archive or a file',
    load: async () => (await import('./skill/scan-command.ts')).scanCommand,
  },
  {
    words: ['skill', 'pack'],
    summary: 'writes the folder of a skill as an archive, the same on any machine',
    load: async () => (await import('./skill/pack-command.ts')).packCommand,
  },
  {
    words: ['eval', 'run'],
    summary: 'attacks an endpoint with cases that guardrails should stop, and reports how it held',
    load: async () => (await import('./eval/run-command.ts')).evalRunCommand,
  },
  {
    words: ['eval', 'policy'],
    summary: 'examines policies on attacks and harmless texts: what they stop, and what they let through',
    load: async () => (await import('./eval/policy-command.ts')).evalPolicyCommand,
  },
];
