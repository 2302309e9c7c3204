import type { PackageFile, SkillPackage } from '../package/read-package.ts';
import type { Detection } from '../detection.ts';
import { findMixedScripts } from './mixed-scripts.ts';
import { findUndeclaredAbility } from './undeclared-ability.ts';

/** What is told of files and names rather than of statements. */
export const findByDetectors = (skill: SkillPackage): readonly Detection[] => [
  ...skill.files.flatMap((file) => [
    ...findDisguise(file),
    ...findPadding(file),
    ...findMixedScripts(file),
    ...findForeignAbility(file),
  ]),
  ...findUndeclaredAbility(skill),
];

function findDisguise(file: PackageFile): readonly Detection[] {
  const at = { file, start: 0, end: 0, weight: 1 };
  if (file.disguised === true) return [{ detector: 'disguised-file', ...at }];
  return file.kind === 'executable' ? [{ detector: 'executable-file', ...at }] : [];
}

const order = /\b(?:ignore|execute|curl|wget|send|you must|run)\b/i;

/** Documents are read by people, who do not see what stands so far off; tables and drawings stand in data. */
function findPadding(file: PackageFile): readonly Detection[] {
  const isDocument = file.language === 'markdown' || file.language === 'text' || file.language === 'html';
  return (file.padded ?? [])
    .filter(({ at, kind }) => kind === 'lines' || order.test((file.text ?? '').slice(at, at + 60)))
    .slice(0, mostPlaces)
    .map(({ at }) => ({ detector: 'padded-text', file, start: at, end: at + 60, weight: isDocument ? 1 : 0.25 }));
}

/** More of one kind in one file nobody reads. */
const mostPlaces = 5;

const harmlessPurpose =
  /^description:[^\n]{0,200}\b(?:spell\w{0,4}|grammar|format(?:s|ter|ting)?|prettif\w{2,4}|calculator|converts? units|haiku|emoji|quotes?|jokes?|rewraps?)\b/im;
const strongAbility =
  /^(?:permissions|tools|allowed-tools)\s{0,2}:(?:[^\n]{0,200}|(?:\s{0,2}\n[ \t]{0,6}-[ \t]{0,3}[\w:*][\w:*-]{0,39}){0,40}?\s{0,2}\n[ \t]{0,6}-[ \t]{0,3})\b(?:sudo|admin|shell|exec|env_access|network_unrestricted)\b/im;

/** What a formatter has no use for. */
function findForeignAbility(file: PackageFile): readonly Detection[] {
  const head = /^---\r?\n[^]{0,6000}?\n---/.exec(file.text?.slice(0, 6_100) ?? '')?.[0];
  if (head === undefined || !harmlessPurpose.test(head)) return [];
  const ability = strongAbility.exec(head);
  if (ability === null) return [];
  const start = ability.index;
  return [{ detector: 'ability-foreign-to-purpose', file, start, end: start + ability[0].length, weight: 1 }];
}
