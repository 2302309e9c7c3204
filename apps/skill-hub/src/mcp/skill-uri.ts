/** A file of a skill, as clients of the skills extension name it. */
export interface SkillFileName {
  readonly skill: string;
  /** Below the folder of the skill. */
  readonly path: string;
}

const scheme = 'skill://';
export const manifestName = 'SKILL.md';

export const renderSkillUri = ({ skill, path }: SkillFileName): string =>
  `${scheme}${skill}/${path.split('/').map(encodeURIComponent).join('/')}`;

/** Undefined for what names no file of a skill. */
export function parseSkillUri(uri: string): SkillFileName | undefined {
  if (!uri.startsWith(scheme)) return undefined;
  const [skill = '', ...rest] = uri.slice(scheme.length).split('/');
  try {
    const path = rest.map(decodeURIComponent).join('/');
    return skill === '' || path === '' ? undefined : { skill, path };
  } catch {
    return undefined;
  }
}
