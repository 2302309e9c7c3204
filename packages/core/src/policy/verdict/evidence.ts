/** Longest evidence that is kept. */
const maxEvidence = 120;

/** How much of a secret is shown, enough to recognise which one it was; of a short one, less. */
const shownOfSecret = 4;

const maskSecret = (text: string): string =>
  `${text.slice(0, Math.min(shownOfSecret, Math.floor(text.length / 4)))}… (${text.length} characters)`;

/**
 * Words that may be a secret, in any text: what stands behind `:` or `=`, words that mix letters and
 * digits, and long runs without a space. A rule's author decides what matches, so the mask cannot
 * rely on the rule being known as one about secrets.
 */
const suspicious = /(?<=[:=]\s{0,3}["'`]?)[^\s"'`]{6,}|(?=[^\s]*\d)(?=[^\s]*[A-Za-z])[^\s]{8,}|[^\s]{24,}/g;

/**
 * What is kept of a match: of a secret its first characters and its length, of any other text the
 * beginning with everything masked that looks like a secret.
 */
export function renderEvidence(text: string, start: number, end: number, secret: boolean): string {
  if (secret) return maskSecret(text.slice(start, end));
  // Twice as much as is kept, so that a word cut by the limit is masked as the whole that it was.
  const excerpt = text.slice(start, Math.min(end, start + 2 * maxEvidence)).replaceAll(suspicious, maskSecret);
  return excerpt.length <= maxEvidence ? excerpt : `${excerpt.slice(0, maxEvidence - 1)}…`;
}
