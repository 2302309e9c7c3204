import type { JsonPath } from '@portcullis/core/json/visit-strings';
import type { Finding, PolicyPlan, ScanContext } from '@portcullis/core/policy/policy';
import { finish } from '@portcullis/core/collections/finish-steps';
import { classifyMedia } from '@portcullis/core/policy/views/classify-media';
import { findDeclaredMedia, type DeclaredMedia } from './declared-media.ts';

/** A string of a value, and the value. */
interface PlacedText {
  readonly root: unknown;
  readonly text: string;
  readonly path: JsonPath;
  readonly isKey: boolean;
}

/** What policies find in a string of a value: in media, in the texts among its bytes. */
export function scanPlaced(plan: PolicyPlan, placed: PlacedText, context: ScanContext): readonly Finding[] {
  const { root, text, path, isKey } = placed;
  const media = isKey ? undefined : findDeclaredMedia(root, path, text);
  return (media && finish(scanMedia(plan, text, media, context))) ?? plan.scan(text, context);
}

/** The same in steps. */
export function* scanPlacedCooperatively(
  plan: PolicyPlan,
  { root, text, path, isKey }: PlacedText,
  context: ScanContext,
): Generator<undefined, readonly Finding[]> {
  const media = isKey ? undefined : findDeclaredMedia(root, path, text);
  const findings = media && (yield* scanMedia(plan, text, media, context));
  return findings ?? (yield* plan.scanCooperatively(text, context));
}

/**
 * What policies find in a text that is declared to be media: in the texts among its bytes, as a finding about all of it.
 * Undefined when it is none, so that it is to be read as any other.
 */
export function* scanMedia(
  plan: PolicyPlan,
  text: string,
  { kind, from }: DeclaredMedia,
  context: ScanContext,
): Generator<undefined, readonly Finding[] | undefined> {
  const texts = yield* classifyMedia(text, from, kind);
  if (texts === undefined) return undefined;
  const findings: Finding[] = [];
  for (const said of texts) {
    for (const finding of yield* plan.scanCooperatively(said, context))
      findings.push({ ...finding, start: 0, end: text.length, mapped: false, view: 'base64' });
    yield;
  }
  return findings;
}
