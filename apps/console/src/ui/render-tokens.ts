interface CountedTokens {
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
}

/** Tokens of input and output, and a dash where none were counted. */
export const renderTokens = ({ input_tokens, output_tokens }: CountedTokens): string =>
  input_tokens === null ? '–' : `${input_tokens} + ${output_tokens ?? 0}`;
