import type { SkillStatus } from '@portcullis/contracts/skills';
import { GatewayError } from '../http/gateway-error.ts';
import { boundHash, type ContentRow } from './content-queries.ts';
import type { SkillRow } from './skill-queries.ts';

export type Decision = Exclude<SkillStatus, 'pending'>;

interface AskedDecision {
  readonly decision: Decision;
  /** Hashes of what the admin looked at; undefined where they do not say. */
  readonly seen: readonly string[] | undefined;
}

/**
 * The contents that a decision is about: the one that it names, or the one that the registry shows. Only what is shown, or was
 * decided before, can be named: anything else came in unseen. Without a name an approval is taken while
 * nothing else came in that it could mean; a no to what is approved ends every approval of the version, and a quarantine always does.
 * @throws {GatewayError} `precondition_failed`, `precondition_required`
 */
export function chooseContents(
  shown: SkillRow,
  contents: readonly ContentRow[],
  { decision, seen }: AskedDecision,
): readonly [ContentRow, ...ContentRow[]] {
  const current = contents.find((content) => isSame(shown, content));
  if (current === undefined)
    throw new GatewayError('conflict', { message: 'The skill changes at this moment; look again' });
  if (seen !== undefined) {
    const named = [current, ...contents.filter(isReviewed)].find((content) => seen.includes(boundHash(content)));
    if (named === undefined) throw somethingElse(current);
    return [named];
  }
  if (decision === 'approved') {
    if (contents.length > 1 && current.reviewed_at === null) throw unnamed(current);
    return [current];
  }
  const stops = decision === 'quarantined' || current.status === 'approved';
  return [current, ...(stops ? contents.filter((content) => content.id !== current.id && isApproved(content)) : [])];
}

const isReviewed = ({ reviewed_at: at }: ContentRow): boolean => at !== null;

const isApproved = ({ status }: ContentRow): boolean => status === 'approved';

export const isSame = (shown: SkillRow, content: ContentRow): boolean =>
  shown.content_hash === content.content_hash && shown.tree_hash === content.tree_hash;

/** Of the body, or of If-Match, which may list several; `*` says nothing about what was looked at. */
export function seenHashes({
  body,
  ifMatch,
}: {
  readonly body: { readonly content_hash?: string | undefined };
  readonly ifMatch?: string | undefined;
}): readonly string[] | undefined {
  if (body.content_hash !== undefined) return [body.content_hash.toLowerCase()];
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined;
  return ifMatch.split(',').map((tag) => tag.trim().replace(/^W\//, '').replaceAll('"', '').toLowerCase());
}

/** As the header ETag has it. */
export const etagOf = (row: SkillRow): string => `"${boundHash(row)}"`;

const named = (content: ContentRow): string =>
  `${content.tree_hash === null ? 'content_hash' : 'tree_hash'} is ${boundHash(content)}`;

const somethingElse = (current: ContentRow) =>
  new GatewayError('precondition_failed', {
    message: `Something else was submitted meanwhile: the ${named(current)}`,
    headers: { etag: `"${boundHash(current)}"` },
  });

const unnamed = (current: ContentRow) =>
  new GatewayError('precondition_required', {
    message: `More than one content was submitted under this name and version: send the content_hash of the one that you looked at. The ${named(current)} by now`,
    headers: { etag: `"${boundHash(current)}"` },
  });
