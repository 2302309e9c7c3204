import { settingsSections } from '../packages/contracts/src/settings.ts';
import { saveGenerated } from './generated-file.ts';

interface FieldSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly items?: FieldSchema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly description?: string;
}

const renderType = ({ type, enum: values, items, minimum, maximum }: FieldSchema): string => {
  if (values !== undefined) return values.map(String).join(', ');
  if (items !== undefined) return `list of: ${renderType(items)}`;
  const range = minimum === undefined ? '' : ` ${minimum}-${maximum}`;
  return `${[type ?? ''].flat().join(' or ')}${range}`;
};

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

const rows = Object.entries(settingsSections).flatMap(([section, { fields, secrets, restart }]) =>
  Object.entries(fields).map(([name, schema]) => {
    const field = schema as FieldSchema;
    const secret = (secrets as readonly string[]).includes(name);
    const applies = (restart as readonly string[]).includes(name) ? 'after a restart' : 'live';
    const type = `${renderType(field)}${secret ? ', secret' : ''}`;
    const fallback = Array.isArray(field.default) ? 'all' : JSON.stringify(field.default);
    return `| \`${section}.${name}\` | ${cell(type)} | \`${fallback}\` | ${applies} | ${cell(field.description ?? '')} |`;
  }),
);

saveGenerated(
  'docs/generated/settings.md',
  `# Settings

What an admin sets while the gateway runs, at \`/api/v1/system/settings\`. Secrets are stored encrypted, read back as
\`********\`, and stay when that comes back on a write. Settings that apply live do so within seconds, in every process.
What is fixed at start is in [config.md](config.md).

| Setting | Values | Default | Applies | Meaning |
|---|---|---|---|---|
${rows.join('\n')}
`,
);
