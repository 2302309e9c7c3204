import type { AuditChanges } from '@portcullis/contracts/audit-events';

const redacted = '[redacted]';
/** Catches what was not declared. Names that only speak about secrets, as `has_target_auth`, tell nothing either. */
const secretName =
  /pass(word|phrase|wd)|secret|credential|private_?key|api_?key$|authorization|(^|_)(auth|token)$|webhook_url/i;
const maxFields = 50;
const maxDepth = 4;
const maxTextLength = 300;

/** Fields that differ on every write and say nothing. */
const dull: ReadonlySet<string> = new Set(['updated_at', 'created_at']);

type Fields = Readonly<Record<string, unknown>>;

/**
 * What differs between two states of a record, by the path of the field (`settings.timeout`). One side
 * is absent when the record was created or deleted. Of a secret only whether it was set is recorded; long
 * values are cut; after 50 fields the rest is counted.
 * @param secrets names of further fields that hold secrets, at any depth
 */
export function diffFields(
  before: object | undefined,
  after: object | undefined,
  secrets: readonly string[] = [],
): AuditChanges | null {
  const changes: Record<string, { from?: unknown; to?: unknown }> = {};
  let left = 0;

  const compare = (from: Fields, to: Fields, prefix: string, depth: number): void => {
    for (const field of new Set([...Object.keys(from), ...Object.keys(to)])) {
      const [old, now] = [from[field], to[field]];
      if (dull.has(field) || JSON.stringify(old) === JSON.stringify(now)) continue;
      const path = prefix + field;
      if (depth < maxDepth && !isSecret(field) && mayOpen(old) && mayOpen(now) && (isFields(old) || isFields(now))) {
        compare(isFields(old) ? old : {}, isFields(now) ? now : {}, `${path}.`, depth + 1);
      } else if (Object.keys(changes).length >= maxFields) left += 1;
      else changes[path] = { ...side('from', field, old), ...side('to', field, now) };
    }
  };
  const isSecret = (field: string): boolean => secrets.includes(field) || secretName.test(field);
  /** Nothing, or the value without its secrets, those in lists included. */
  const side = (name: 'from' | 'to', field: string, value: unknown): object => {
    if (value === undefined) return {};
    const open = JSON.stringify({ [field]: value }, (key, inner: unknown) => (isSecret(key) ? hide(inner) : inner));
    return { [name]: shorten((JSON.parse(open) as Fields)[field]) };
  };

  compare(asFields(before), asFields(after), '', 1);
  if (left > 0) changes['…'] = { to: `${left} more fields` };
  return Object.keys(changes).length === 0 ? null : changes;
}

/** Whether a secret is set is no secret. */
const hide = (value: unknown): unknown =>
  value === null || value === '' || value === false || value === true ? value : redacted;

function shorten(value: unknown): unknown {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (text.length <= maxTextLength) return value;
  return `${text.slice(0, maxTextLength)}… (${text.length} characters)`;
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

/** An object is opened also when it was not there before or is not any more. */
const mayOpen = (value: unknown): boolean => value === undefined || value === null || isFields(value);

const asFields = (value: object | undefined): Fields => (value ?? {}) as Fields;
