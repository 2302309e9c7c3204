import { byFirstFolder, byFolder, findCircles } from './find-floors.ts';
import { readImports } from './read-imports.ts';

/** What keeps the folders of a package from standing on floors, where an import only goes down: one text for each circle. */
export function checkPackage(folder: string, name: string): readonly string[] {
  const { files, imports } = readImports(folder);
  const circles = [byFolder, byFirstFolder].flatMap((nodeOf) => findCircles(files, imports, nodeOf));
  const problems = circles.map(({ folders, closedBy }) =>
    [
      `${name}: a circle of ${folders.join(', ')}, closed by`,
      ...closedBy.map(({ from, to }) => `  ${from} imports ${to}`),
    ].join('\n'),
  );
  return [...new Set(problems)];
}
