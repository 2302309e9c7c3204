import { findFloors } from './floors/find-floors.ts';
import { folderOf, packages } from './floors/packages.ts';
import { readImports } from './floors/read-imports.ts';
import { saveGenerated } from './generated-file.ts';

// Writes docs/generated/floors.md: the folders of each package, and what they import.

const code = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

function renderPackage(name: string): string {
  const { files, imports } = readImports(folderOf(name));
  const rows = findFloors(files, imports).map(
    ({ floor, folder, imports: below }) => `| ${floor} | ${code([folder])} | ${code(below)} |`,
  );
  return ['', `## ${name}`, '', '| floor | folder | imports |', '|--:|---|---|', ...rows].join('\n');
}

const head = `# Floors

The folders below \`src\` of each package, and the files that stand in none, the highest floor first; printed from the imports.
An import goes down, never up: \`npm run check\` fails where folders import each other in a circle, also where folders of the
first level do with all that is in them.`;

saveGenerated('docs/generated/floors.md', `${[head, ...packages.map(renderPackage)].join('\n')}\n`);
