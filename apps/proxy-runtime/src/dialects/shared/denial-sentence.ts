import type { RenderedDenial } from './dialect.ts';

/** All that a client may read of a refusal, for clients that show one text and no other. */
export const denialSentence = ({ text, message }: Pick<RenderedDenial, 'text' | 'message'>): string =>
  message === undefined ? text : `${text}: ${message}`;
