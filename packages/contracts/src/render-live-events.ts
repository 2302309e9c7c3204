import { liveEvents } from './live-events.ts';

interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

/** The reference of the messages on `/ws` as Markdown, one table per type. */
export function renderLiveEvents(): string {
  const sections = Object.entries(liveEvents).map(([type, { when, payload }]) => {
    // TypeBox schemas are JSON Schemas with extras that JSON leaves out.
    const schema = JSON.parse(JSON.stringify(payload)) as JsonSchema;
    return `## ${type}\n\n${when}.\n\n| field | type | meaning |\n|---|---|---|\n${renderFields(schema, '').join('\n')}\n`;
  });
  return `# Messages on /ws\n\nEach message is \`{"type": ..., "payload": {...}}\`. Printed from the contract.\n\n${sections.join('\n')}`;
}

function renderFields({ properties = {}, required = [] }: JsonSchema, prefix: string): string[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    if (schema.properties !== undefined) return renderFields(schema, `${prefix}${name}.`);
    const presence = required.includes(name) ? '' : ', optional';
    return `| \`${prefix}${name}\` | ${renderType(schema)}${presence} | ${schema.description ?? ''} |`;
  });
}

const renderType = ({ enum: values, type = 'any' }: JsonSchema): string =>
  (values ?? [type].flat()).map((value) => (values === undefined ? String(value) : `\`${String(value)}\``)).join(', ');
