import type { PolicyConditions } from '@portcullis/contracts/policy-file';
import type { ScanContext } from './policy.ts';

/** Whether a rule's conditions hold, the direction aside: that one is compiled into the rule's contexts. */
export type Condition = (context: ScanContext, size: number) => boolean;

/** Undefined when there is nothing to ask, so that rules without conditions cost nothing. */
export function compileConditions(conditions: PolicyConditions | undefined): Condition | undefined {
  if (conditions === undefined) return undefined;
  const { roles, size } = conditions;
  const [tool, model, path, pointer] = [conditions.tools, conditions.models, conditions.paths, conditions.pointers].map(
    (globs) => globs && matchAny(globs),
  );
  const asked: Condition[] = [];
  if (roles !== undefined) asked.push(({ role }) => role !== undefined && roles.includes(role));
  if (tool !== undefined) asked.push((context) => tool(context.tool));
  if (model !== undefined) asked.push((context) => model(context.model));
  if (path !== undefined) asked.push((context) => path(context.path));
  if (pointer !== undefined) asked.push((context) => pointer(context.pointer?.()));
  if (size !== undefined)
    asked.push((_context, length) => length >= (size.min ?? 0) && length <= (size.max ?? Infinity));
  if (asked.length === 0) return undefined;
  return (context, length) => asked.every((holds) => holds(context, length));
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
