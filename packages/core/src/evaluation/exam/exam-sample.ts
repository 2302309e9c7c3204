import type { EvaluationCategory } from '@portcullis/contracts/evaluation-case';
import type { ExamLabel, ExamSource } from '@portcullis/contracts/policy-exam';
import type { MessageRole, TextOrigin } from '@portcullis/contracts/policy-file';
import type { ListenerType } from '@portcullis/contracts/records';
import { originSet, type OriginSet } from '../../policy/origins.ts';
import { builtinCases } from '../suite/builtin-cases.ts';
import { renderCase } from '../suite/render-case.ts';

/** One text of a sample, with what a proxy would know of it. */
export interface ExamText {
  readonly text: string;
  readonly direction: 'request' | 'response';
  readonly origin: TextOrigin;
  readonly role?: MessageRole | undefined;
  readonly tool?: string | undefined;
}

/** Texts that belong together, as those of one request do, with a label. */
export interface ExamSample {
  readonly source: Exclude<ExamSource, 'logged'>;
  readonly id: string;
  readonly label: ExamLabel;
  readonly category: string | null;
  readonly texts: readonly ExamText[];
}

/** What is known of all samples of an exam. */
export interface ExamTraffic {
  readonly protocol: ListenerType;
  readonly model?: string | undefined;
  readonly path?: string | undefined;
  /** As which origins rules read the texts; each as its own where nothing is said. */
  readonly origins?: ExamOrigins | undefined;
}

/** By where a text comes from; of instructions, those of the developer stand apart. */
export type ExamOrigins = Readonly<Record<TextOrigin | 'developer', OriginSet>>;

/** As which origins rules read a text. */
export const originsOf = ({ origin, role }: ExamText, origins: ExamOrigins | undefined): OriginSet =>
  origins === undefined
    ? originSet(origin)
    : origins[origin === 'instructions' && role === 'developer' ? 'developer' : origin];

/** Where what somebody says in a conversation comes from. */
export const originOfRole: Readonly<Record<MessageRole, TextOrigin>> = {
  system: 'instructions',
  developer: 'instructions',
  user: 'user',
  assistant: 'assistant',
  tool: 'tool_result',
};

/** What is planted in the cases: the same in each exam, so that two of them can be compared. */
const seed = 'policy exam';

/** What the built-in cases send; all categories unless some are named. What endpoints would answer is no part of it. */
export const suiteSamples = (categories?: readonly EvaluationCategory[]): readonly ExamSample[] =>
  builtinCases
    .filter(({ category }) => categories?.includes(category) !== false)
    .map((testCase) => {
      const { system, turns } = renderCase(testCase, seed);
      const messages = [...(system === '' ? [] : [{ role: 'system' as const, content: system }]), ...turns];
      return {
        source: 'suite',
        id: testCase.test_id,
        label: testCase.expected_result === 'allow' ? 'benign' : 'attack',
        category: testCase.category,
        texts: messages.map(({ role, content }) => ({
          text: content,
          direction: 'request',
          origin: originOfRole[role],
          role,
        })),
      };
    });
