import { isObject } from './is-object.ts';
import type { LlmCall, OfferedTool } from './llm-dialect.ts';

/** What a model that works on files wants done next, for tools of any names. */
export type FileStep =
  | { readonly kind: 'read'; readonly path: string }
  | {
      readonly kind: 'replace';
      readonly path: string;
      readonly from: string;
      readonly to: string;
      /** All of the file afterwards. */
      readonly whole: string;
    };

/**
 * The call that does the step with the tools at hand: one made for it, told by the arguments that its schema asks for,
 * else a shell, else one that writes whole files. Undefined when none of them can do it.
 */
export function chooseCall(tools: readonly OfferedTool[], step: FileStep): LlmCall | undefined {
  const made = step.kind === 'read' ? callToRead(tools, step.path) : callToReplace(tools, step);
  return made ?? callShell(tools, step) ?? callScript(tools, step) ?? callToWrite(tools, step);
}

const path = /^(?:(?:absolute|relative|target)_?)?(?:file_?)?(?:path|name)s?$|^file$|^target_?file$/i;
const content = /^(?:(?:new_?)?contents?|file_?text|text|new_?text)$/i;
const replaced = /^(?:old_?(?:string|str|text)|search|find|oldText)$/i;
const replacement = /^(?:new_?(?:string|str|text)|replace(?:ment)?|newText)$/i;
const command = /^(?:commands?|cmd|script)$/i;

function callToRead(tools: readonly OfferedTool[], file: string): LlmCall | undefined {
  const tool = tools.find(
    ({ name, parameters }) =>
      /read|view|cat|open/i.test(name) &&
      !/many|list|image|dir|web|resource|mcp/i.test(name) &&
      has(parameters, path) &&
      !has(parameters, content) &&
      !has(parameters, replaced),
  );
  return tool && callWith(tool, [[path, file]]);
}

function callToReplace(
  tools: readonly OfferedTool[],
  { path: file, from, to }: Extract<FileStep, { kind: 'replace' }>,
): LlmCall | undefined {
  const tool = tools.find(({ parameters }) => [path, replaced, replacement].every((name) => has(parameters, name)));
  return (
    tool &&
    callWith(tool, [
      [path, file],
      [replaced, from],
      [replacement, to],
    ])
  );
}

/** Has the whole file written anew. */
function callToWrite(tools: readonly OfferedTool[], step: FileStep): LlmCall | undefined {
  const tool = tools.find(({ parameters }) => has(parameters, path) && has(parameters, content));
  if (tool === undefined || step.kind === 'read') return undefined;
  return callWith(tool, [
    [path, step.path],
    [content, step.whole],
  ]);
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const shellLine = (step: FileStep): string =>
  step.kind === 'read'
    ? `cat ${quoted(step.path)}`
    : `sed -i ${quoted(`s/${step.from}/${step.to}/`)} ${quoted(step.path)}`;

function callShell(tools: readonly OfferedTool[], step: FileStep): LlmCall | undefined {
  const tool = tools.find(({ parameters }) => has(parameters, command));
  return tool && callWith(tool, [[command, shellLine(step)]]);
}

/** A tool that takes JavaScript and has the shell as a function of it, as its description says. */
function callScript(tools: readonly OfferedTool[], step: FileStep): LlmCall | undefined {
  const tool = tools.find(({ takes, description }) => takes === 'text' && description.includes('exec_command(args: {'));
  const cmd = JSON.stringify(shellLine(step));
  return tool && { name: tool.name, arguments: `text((await tools.exec_command({ cmd: ${cmd} })).output);` };
}

const properties = ({ properties }: OfferedTool['parameters']): Readonly<Record<string, unknown>> =>
  isObject(properties) ? properties : {};

const has = (parameters: OfferedTool['parameters'], name: RegExp): boolean =>
  Object.keys(properties(parameters)).some((property) => name.test(property));

/** The wanted values under the names that the schema has for them, and something valid for the rest that it requires. */
function callWith(
  { name, parameters }: OfferedTool,
  wanted: readonly (readonly [name: RegExp, value: string])[],
): LlmCall {
  const { required } = parameters;
  const values: Record<string, unknown> = {};
  for (const [property, schema] of Object.entries(properties(parameters))) {
    const value = wanted.find(([expected]) => expected.test(property))?.[1];
    const kind = isObject(schema) ? schema : {};
    if (value !== undefined) values[property] = typeOf(kind) === 'array' ? asArray(property, value) : value;
    else if (Array.isArray(required) && required.includes(property)) values[property] = anyValueOf(kind);
  }
  return { name, arguments: values };
}

/** A command in words needs a shell to take it apart; of other lists the value is the only member. */
const asArray = (property: string, value: string): readonly string[] =>
  command.test(property) && !/s$/i.test(property) ? ['bash', '-lc', value] : [value];

function typeOf({ type }: Readonly<Record<string, unknown>>): string {
  const named: unknown = Array.isArray(type) ? type.find((one) => one !== 'null') : type;
  return typeof named === 'string' ? named.toLowerCase() : 'string';
}

/** The simplest value that a JSON schema allows. */
export function anyValueOf(schema: Readonly<Record<string, unknown>>): unknown {
  if (schema['default'] !== undefined) return schema['default'];
  if (schema['const'] !== undefined) return schema['const'];
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  switch (typeOf(schema)) {
    case 'array':
      return [];
    case 'boolean':
      return false;
    case 'integer':
    case 'number':
      return typeof schema['minimum'] === 'number' ? schema['minimum'] : 1;
    case 'object':
      return Object.fromEntries(
        Object.entries(properties(schema))
          .filter(([name]) => Array.isArray(schema['required']) && schema['required'].includes(name))
          .map(([name, kind]) => [name, isObject(kind) ? anyValueOf(kind) : '']),
      );
    default:
      return 'as asked';
  }
}
