/** A pattern whose time grows faster than its text, and what keeps its text short. */
export interface AllowedPattern {
  readonly file: string;
  /** How it begins. */
  readonly start: string;
  /** The longest text that it is tried on. */
  readonly longestText: number;
  /** What bounds it. */
  readonly why: string;
}

export const allowedPatterns: readonly AllowedPattern[] = [
  {
    file: 'packages/core/src/policy/verdict/evidence.ts',
    start: '(?<=[:=]',
    longestText: 240,
    why: 'twice the longest evidence, cut before',
  },
  {
    file: 'packages/core/src/policy/detectors/tokens/secret-value.ts',
    start: '(?:id|ids|name',
    longestText: 24,
    why: 'the rest of a name, of which the pattern of the detector takes so much',
  },
  {
    file: 'packages/core/src/evaluation/judge/judge-model.ts',
    start: '\\{(?:[^{}"]',
    longestText: 8_000,
    why: 'the end of the verdict of a judging model, cut before',
  },
  {
    file: 'packages/core/src/evaluation/judge/refusal/substance.ts',
    start: "^\\W{0,3}([a-z][a-z' ]",
    longestText: 8_000,
    why: 'the beginning and the end of an answer, cut by foldAnswer',
  },
];

/** A file that builds patterns when it is asked to, and what holds for them. */
export interface LaterPattern {
  readonly file: string;
  /** Places in the file where one is built later. */
  readonly count: number;
  readonly why: string;
}

export const laterPatterns: readonly LaterPattern[] = [
  {
    file: 'apps/proxy-runtime/src/dialects/openai/stream-options.ts',
    count: 1,
    why: 'a literal of the same file with another flag',
  },
  {
    file: 'packages/core/src/skills/match/compile-rules.ts',
    count: 1,
    why: 'the analysis of policies has called it safe to run natively',
  },
  {
    file: 'packages/core/src/skills/flow/trace-file.ts',
    count: 1,
    why: 'an escaped name, with two blanks and a bracket behind it',
  },
  { file: 'packages/core/src/skills/flow/read-statement.ts', count: 1, why: 'as in trace-file' },
  {
    file: 'packages/core/src/skills/shell/expand-words.ts',
    count: 1,
    why: 'a word of 80 characters with signs for any letter, tried on the names of commands',
  },
  {
    file: 'packages/core/src/skills/reading/read-markdown.ts',
    count: 1,
    why: 'the end of a fence, at the start of a line',
  },
  {
    file: 'packages/core/src/policy/pattern/analyse-pattern.ts',
    count: 1,
    why: 'a pattern of a policy, which its analysis comes to here, tried on an empty text',
  },
  {
    file: 'packages/core/src/policy/pattern/matcher.ts',
    count: 3,
    why: 'patterns of policies, which the analysis has called safe to run natively within its windows',
  },
  {
    file: 'packages/core/src/policy/pattern/parse-syntax.ts',
    count: 3,
    why: 'classes of one character, tried on the characters themselves',
  },
];
