import type { PolicyConditions } from '@portcullis/contracts/policy-file';
import type { ScanContext } from '../policy.ts';

/** A rule's conditions, the direction aside: that one is compiled into the rule's contexts. */
export interface Condition {
  /** What can be told before a text is read; undefined where there is nothing. */
  readonly early: ((context: ScanContext) => boolean) | undefined;
  /** It asks where in a body the text stands, which the same text may do anywhere. */
  readonly asksPlace: boolean;
  /** Whether all of them hold. */
  holds(context: ScanContext, size: number): boolean;
}

/** Undefined when there is nothing to ask, so that rules without conditions cost nothing. */
export function compileConditions(conditions: PolicyConditions | undefined): Condition | undefined {
  if (conditions === undefined) return undefined;
  const { roles, size } = conditions;
  const [tool, model, path, pointer] = [conditions.tools, conditions.models, conditions.paths, conditions.pointers].map(
    (globs) => globs && matchAny(globs),
  );
  const early: ((context: ScanContext) => boolean)[] = [];
  if (roles !== undefined) early.push(({ role }) => role !== undefined && roles.includes(role));
  if (tool !== undefined) early.push((context) => tool(context.tool));
  if (model !== undefined) early.push((context) => model(context.model));
  if (path !== undefined) early.push((context) => path(context.path));
  const late: ((context: ScanContext, size: number) => boolean)[] = [];
  if (pointer !== undefined) late.push((context) => pointer(context.pointer?.()));
  if (size !== undefined)
    late.push((_context, length) => length >= (size.min ?? 0) && length <= (size.max ?? Infinity));
  const all = [...early, ...late];
  if (all.length === 0) return undefined;
  return {
    early: early.length === 0 ? undefined : (context) => early.every((holds) => holds(context)),
    asksPlace: pointer !== undefined,
    holds: (context, length) => all.every((holds) => holds(context, length)),
  };
}

const matchAny = (globs: readonly string[]): ((text: string | undefined) => boolean) => {
  const parts = globs.map((glob) => glob.toLowerCase().split('*'));
  return (text) => text !== undefined && parts.some((pieces) => matchGlob(pieces, text.toLowerCase()));
};

/** `pieces` is what stands between the stars. Each inner one is taken at its first place: no other would do better. */
function matchGlob(pieces: readonly string[], text: string): boolean {
  const [head = '', ...others] = pieces;
  const last = others.pop();
  if (last === undefined) return text === head;
  if (!text.startsWith(head) || text.length < head.length + last.length) return false;
  let at = head.length;
  for (const piece of others) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return text.endsWith(last) && at <= text.length - last.length;
}
