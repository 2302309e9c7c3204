import { checkPackage } from './floors/check-package.ts';
import { folderOf, packages } from './floors/packages.ts';

// A check of `npm run check`: the folders of a package form floors. What imports each other both ways, or around a corner, is
// one thing in two folders, and nobody can read one of them without the other. docs/generated/floors.md draws them.

const problems = packages.flatMap((name) => checkPackage(folderOf(name), name));
console.log(problems.length === 0 ? `${packages.length} packages` : problems.join('\n'));
process.exitCode = problems.length === 0 ? 0 : 1;
