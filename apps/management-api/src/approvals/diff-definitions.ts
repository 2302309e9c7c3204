import type { ApprovalDifference } from '@portcullis/contracts/routes/approvals';
import type { ToolFinding } from '@portcullis/contracts/routes/mcp-tools';
import type { CardChange } from '@portcullis/core/a2a/compare-cards';
import { canonicalJson } from '@portcullis/core/json/canonical-json';
import { diffValues } from '@portcullis/core/json/diff-values';
import { objectOf } from '@portcullis/core/json/json-object';
import { diffWordsWithSpace } from 'diff';
import { showInvisible } from './show-invisible.ts';

/** Longer texts are cut: a person does not read them through. */
const maxShownLength = 20_000;
/** Beyond these a diff says no more to a person, and takes long; of one text, and of all. */
const maxEdits = 2_000;
const maxDiffMs = 50;
const maxTotalDiffMs = 300;

/** Where two definitions differ, texts word by word, with what the scanner found in its place. */
export function diffDefinitions(
  before: unknown,
  after: unknown,
  findings: readonly ToolFinding[],
): ApprovalDifference[] {
  const until = Date.now() + maxTotalDiffMs;
  return diffValues(before, after).map(({ path, change }) =>
    renderDifference(path, {
      before: change === 'added' ? undefined : textOf(valueAt(before, path)),
      after: change === 'removed' ? undefined : textOf(valueAt(after, path)),
      mark: (text) =>
        marksIn(
          text,
          findings.filter(({ location }) => location === path),
          true,
        ),
      until,
    }),
  );
}

/** What a card changes; the scanner tells places in the card, so evidence is looked for in every text. */
export function diffCards(changes: readonly CardChange[], findings: readonly ToolFinding[]): ApprovalDifference[] {
  const until = Date.now() + maxTotalDiffMs;
  return changes.map(({ type, skill, before, after }) =>
    renderDifference(skill === undefined ? type : `${type} ${skill}`, {
      before,
      after,
      mark: (text) => marksIn(text, findings, false),
      until,
    }),
  );
}

/** Two texts, of which one may be absent. */
export const diffTexts = (
  path: string,
  before: string | undefined,
  after: string | undefined,
  findings: readonly ToolFinding[],
): ApprovalDifference =>
  renderDifference(path, {
    before,
    after,
    mark: (text) => marksIn(text, findings, false),
    until: Date.now() + maxTotalDiffMs,
  });

interface Sides {
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly mark: (text: string) => ApprovalDifference['marks'];
  readonly until: number;
}

function renderDifference(path: string, { before, after, mark, until }: Sides): ApprovalDifference {
  const [old, next] = [before, after].map((text) => (text === undefined ? null : show(text)));
  return {
    path,
    change: before === undefined ? 'added' : after === undefined ? 'removed' : 'changed',
    before: old?.text ?? null,
    after: next?.text ?? null,
    words: !old || !next ? null : diffWords(old.text, next.text, until),
    invisible_characters: next?.count ?? 0,
    marks: next ? mark(next.text) : [],
  };
}

function diffWords(before: string, after: string, until: number): ApprovalDifference['words'] {
  const timeout = Math.min(maxDiffMs, until - Date.now());
  if (timeout <= 0) return null;
  const changes = diffWordsWithSpace(before, after, { maxEditLength: maxEdits, timeout });
  if (changes === undefined) return null;
  return changes.map(({ value, added, removed }) => ({
    change: added ? 'added' : removed ? 'removed' : 'same',
    text: value,
  }));
}

/**
 * Where a text shows the evidence of findings.
 * @param isPlace the findings are about this text: masked evidence stands nowhere in it, then all of it is meant
 */
const marksIn = (text: string, findings: readonly ToolFinding[], isPlace: boolean): ApprovalDifference['marks'] =>
  findings.flatMap(({ rule_id: rule, severity, evidence }) => {
    const shown = showInvisible(evidence).text;
    const start = shown === '' ? -1 : text.indexOf(shown);
    if (start >= 0) return [{ start, end: start + shown.length, rule_id: rule, severity }];
    return isPlace ? [{ start: 0, end: text.length, rule_id: rule, severity }] : [];
  });

const textOf = (value: unknown): string => (typeof value === 'string' ? value : canonicalJson(value));

const show = (text: string): { readonly text: string; readonly count: number } =>
  showInvisible(text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text);

/** What `diffValues` names by a pointer: it names the items of plain lists by their values. */
function valueAt(root: unknown, pointer: string): unknown {
  let value = root;
  for (const step of pointer.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(value))
      value = value.every(isPlain) ? value.find((item) => String(item) === key) : value[Number(key)];
    else value = objectOf(value)?.[key];
  }
  return value;
}

const isPlain = (item: unknown): boolean => typeof item !== 'object' || item === null;
