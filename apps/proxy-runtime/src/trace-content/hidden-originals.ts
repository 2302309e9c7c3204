import type { Placeholders } from '@portcullis/core/policy/redaction/placeholders';

/** A text that no trace shows, and what stands there instead. */
export interface HiddenOriginal {
  readonly original: string;
  readonly instead: string;
}

/**
 * What policies hid from the target and the client has back in its answer: a trace is for neither of them. So is a canary
 * token, which is known to the model alone.
 */
export const listOriginals = (placeholders: Placeholders | undefined, planted: string | undefined): HiddenOriginal[] =>
  (placeholders?.families ?? [])
    .flatMap(({ prefix, suffix, originals }) =>
      [...originals].map(([number, original]) => ({ original, instead: `${prefix}${number}${suffix}` })),
    )
    .concat(planted === undefined ? [] : [{ original: planted, instead: '<CANARY>' }]);
