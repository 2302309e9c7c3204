import type { ApprovalDifference } from '@portcullis/contracts/routes/approvals';
import type { ToolFinding } from '@portcullis/contracts/routes/mcp-tools';
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
  return diffValues(before, after).map(({ path, change }) => {
    const old = change === 'added' ? null : show(valueAt(before, path));
    const next = change === 'removed' ? null : show(valueAt(after, path));
    return {
      path,
      change,
      before: old?.text ?? null,
      after: next?.text ?? null,
      words: old === null || next === null ? null : diffWords(old.text, next.text, until),
      invisible_characters: next?.count ?? 0,
      marks: next === null ? [] : marksIn(next.text, path, findings),
    };
  });
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

/** The evidence of a finding where the text shows it; masked evidence is found nowhere, then the whole text is meant. */
const marksIn = (text: string, path: string, findings: readonly ToolFinding[]): ApprovalDifference['marks'] =>
  findings
    .filter(({ location }) => location === path)
    .map(({ rule_id: rule, severity, evidence }) => {
      const shown = showInvisible(evidence).text;
      const start = shown === '' ? -1 : text.indexOf(shown);
      return start < 0
        ? { start: 0, end: text.length, rule_id: rule, severity }
        : { start, end: start + shown.length, rule_id: rule, severity };
    });

function show(value: unknown): { readonly text: string; readonly count: number } {
  const text = typeof value === 'string' ? value : canonicalJson(value);
  return showInvisible(text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text);
}

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
