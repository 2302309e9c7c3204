import { maxJsonDepth, type JsonPath } from '@portcullis/core/json/visit-strings';
import type { Finding } from '@portcullis/core/policy/policy';
import { textProperty } from '@portcullis/core/json/json-value';

/** A stretch of one part in a text that is put together of several. */
export interface BoundaryPiece {
  readonly path: JsonPath;
  /** All the part says. */
  readonly whole: string;
  /** Where the stretch begins in the part. */
  readonly from: number;
  /** Where it begins in the joined text, and how long it is. */
  readonly at: number;
  readonly length: number;
}

/** What parts of one list say across their ends, as a reader that puts them together has it. */
export interface PartBoundary {
  readonly text: string;
  readonly pieces: readonly BoundaryPiece[];
}

/** How much of a part is read together with the next one, and how much in one boundary. */
const [overlap, longestBoundary] = [160, 8_192];

/** Definitions of tools are no text that is put together. */
const definitions: ReadonlySet<unknown> = new Set(['tools', 'functions']);

/** So many members are passed at once. */
const membersAtOnce = 8_192;

interface OpenNode {
  readonly node: object;
  readonly keys: readonly string[] | undefined;
  readonly length: number;
  next: number;
}

const openNode = (node: object): OpenNode => {
  const keys = Array.isArray(node) ? undefined : Object.keys(node);
  return { node, keys, length: keys?.length ?? (node as readonly unknown[]).length, next: 0 };
};

/**
 * The boundaries between the texts of parts, in any list of a value: models and clients read them as one text; undefined
 * now and then where there are many members without any. What is nested too deep has been refused before.
 */
export function* findPartBoundaries(value: unknown): Generator<PartBoundary | undefined, void> {
  if (typeof value !== 'object' || value === null) return;
  const path: (string | number)[] = [];
  const open = [openNode(value)];
  if (Array.isArray(value)) yield* boundariesOf(value, path);
  let passed = 0;
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    if ((passed += 1) % membersAtOnce === 0) yield undefined;
    if (top.next === top.length) {
      open.pop();
      path.pop();
      continue;
    }
    const step = top.keys?.[top.next] ?? top.next;
    top.next += 1;
    const child = (top.node as Readonly<Record<string | number, unknown>>)[step];
    if (typeof child !== 'object' || child === null || path.length >= maxJsonDepth) continue;
    if (path.length === 0 && definitions.has(step)) continue;
    path.push(step);
    if (Array.isArray(child) && child.length > 1) yield* boundariesOf(child, path);
    open.push(openNode(child));
  }
}

function* boundariesOf(parts: readonly unknown[], path: JsonPath): Generator<PartBoundary | undefined, void> {
  let pieces: BoundaryPiece[] = [];
  let text = '';
  const add = (index: number, whole: string, from: number, to: number): void => {
    pieces.push({ path: [...path, index, 'text'], whole, from, at: text.length, length: to - from });
    text += whole.slice(from, to);
  };
  for (const [index, part] of parts.entries()) {
    if (index % membersAtOnce === membersAtOnce - 1) yield undefined;
    const whole = textProperty(part, 'text');
    if (whole === undefined || whole === '') continue;
    if (whole.length <= 2 * overlap) add(index, whole, 0, whole.length);
    else {
      add(index, whole, 0, overlap);
      if (pieces.length > 1) yield { text, pieces };
      [pieces, text] = [[], ''];
      add(index, whole, whole.length - overlap, whole.length);
    }
    if (text.length <= longestBoundary) continue;
    yield { text, pieces };
    const last = pieces.filter(({ at }) => at >= text.length - 2 * overlap);
    [pieces, text] = [[], ''];
    for (const { path: place, whole: all, from, length } of last) add(Number(place.at(-2)), all, from, from + length);
  }
  if (pieces.length > 1) yield { text, pieces };
}

/**
 * Those of the findings in a boundary that stand in more than one part. Rules that add up signs are left out: they weigh
 * each part by itself.
 */
export const spanningFindings = ({ pieces }: PartBoundary, findings: readonly Finding[]): readonly Finding[] =>
  findings.filter(
    ({ start, end, signals }) =>
      signals === undefined && !pieces.some(({ at, length }) => start >= at && end <= at + length),
  );

/** What a finding in a boundary is in each part that it stands in. */
export const splitFinding = (
  { pieces }: PartBoundary,
  finding: Finding,
): readonly (readonly [piece: BoundaryPiece, finding: Finding])[] =>
  pieces.flatMap((piece) => {
    const start = Math.max(finding.start, piece.at);
    const end = Math.min(finding.end, piece.at + piece.length);
    const shift = piece.from - piece.at;
    return start < end ? [[piece, { ...finding, start: start + shift, end: end + shift }] as const] : [];
  });
