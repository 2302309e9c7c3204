import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chooseCall, type FileStep } from '../../packages/testkit/src/choose-call.ts';
import type { LlmBehaviour } from '../../packages/testkit/src/llm-peer.ts';

/** What an agent is asked to do. */
export interface Task {
  readonly name: 'question' | 'summary' | 'edit';
  readonly prompt: string;
  /** Fills the empty folder that the agent works in. */
  prepare(workspace: string): Promise<void>;
  /** What the model does on files before it answers. */
  steps(workspace: string): readonly FileStep[];
  /** What the model says in the end. */
  readonly answer: string;
  /**
   * What is missing from the outcome, undefined when the task is done.
   * @param sent everything that reached the model
   */
  findFault(workspace: string, output: string, sent: string): Promise<string | undefined>;
}

const notes = `# The greenhouse

We planted forty tomatoes in April and lost three to a late frost. The water butt holds
two hundred litres, which lasts six days in July. Next year the beans move to the north
bed, since the oak takes the light after five o'clock.
`;
const letter = 'Dear members,\n\nthe meeting begins at six in the libary.\n';

const mended = letter.replace('libary', 'library');

const says = (output: string, wanted: string): string | undefined =>
  output.includes(wanted) ? undefined : `the answer does not say "${wanted}"`;

export const tasks: readonly Task[] = [
  {
    name: 'question',
    prompt: 'What is the capital of France?',
    prepare: async () => undefined,
    steps: () => [],
    answer: 'The capital of France is Paris.',
    findFault: async (_, output) => says(output, 'Paris'),
  },
  {
    name: 'summary',
    prompt: 'Read the file greenhouse.md and summarise it in one sentence.',
    prepare: (workspace) => writeFile(join(workspace, 'greenhouse.md'), notes),
    steps: (workspace) => [{ kind: 'read', path: join(workspace, 'greenhouse.md') }],
    answer: 'Most of the tomatoes lived, and the beans will move to the north bed.',
    findFault: async (_, output, sent) =>
      sent.includes('forty tomatoes') ? says(output, 'beans will move') : 'the model was not shown the file',
  },
  {
    name: 'edit',
    prompt: 'Correct the spelling mistake in letter.txt.',
    prepare: (workspace) => writeFile(join(workspace, 'letter.txt'), letter),
    steps: (workspace) => [
      { kind: 'read', path: join(workspace, 'letter.txt') },
      { kind: 'replace', path: join(workspace, 'letter.txt'), from: 'libary', to: 'library', whole: mended },
    ],
    answer: 'The letter now says library.',
    async findFault(workspace, output) {
      const text = await readFile(join(workspace, 'letter.txt'), 'utf8');
      return text === mended ? says(output, 'now says library') : 'the file was not mended';
    },
  },
];

/** What a user asks who was refused before. */
export const nextQuestion: Task = {
  name: 'question',
  prompt: 'Which river flows through Vienna?',
  prepare: async () => undefined,
  steps: () => [],
  answer: 'The Danube flows through Vienna.',
  findFault: async (_, output) => says(output, 'Danube'),
};

/**
 * A model that does the task: one step for each result that the conversation brings back, then its answer. Questions on
 * the side, such as that for a title, get the answer at once.
 */
export const playTask = (task: Task, workspace: string): LlmBehaviour => ({
  reply: task.answer,
  call({ tools, results, input }) {
    const step = input.includes(task.prompt) ? task.steps(workspace)[results.length] : undefined;
    return step && chooseCall(tools, step);
  },
});
