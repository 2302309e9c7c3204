import type { Option, OptionTable } from '../packages/platform/src/config/option-table.ts';
import { options } from '../packages/platform/src/config/options.ts';
import { saveGenerated } from './generated-file.ts';

const table: OptionTable = options;
const entries = Object.entries(table);

const secretNames = entries
  .filter(([, { isSecret }]) => isSecret)
  .map(([name]) => `\`${name}\``)
  .join(', ');

const markdownCell = (text: string) => text.replaceAll('|', '\\|');
const defaultCell = ({ default: value }: Option<unknown>) => (value === undefined ? '' : `\`${value}\``);
const row = ([name, option]: [string, Option<unknown>]) =>
  `| \`${name}\` | ${markdownCell(option.type)} | ${markdownCell(defaultCell(option))} | ${markdownCell(option.description)} |`;

saveGenerated(
  'docs/generated/config.md',
  `# Configuration

Every option is an environment variable. A variable that is empty counts as absent. All problems are
reported at once when a process starts. \`npm start\` also reads a file \`.env\` in the repository's root.

A secret \`NAME\` can be read from a file instead: \`NAME_FILE\` names it, a newline at its end does not count, and setting both is
refused. That holds for ${secretNames}.

When the services run as processes of their own, \`DATABASE_URL\` and \`REDIS_URL\` are required. With
\`ENVIRONMENT=production\`, \`JWT_SECRET\` and \`ENCRYPTION_KEY\` are.

| Variable | Type | Default | Meaning |
|---|---|---|---|
${entries.map(row).join('\n')}
`,
);

const assignment = ([name, option]: [string, Option<unknown>]) =>
  `# ${option.description}\n# ${option.type}\n#${name}=${option.default ?? ''}\n`;

saveGenerated(
  '.env.example',
  `# Copy to .env and uncomment what you want to change. Every value here is the default.
# Generated from the option table by "npm run generate".

${entries.map(assignment).join('\n')}`,
);
