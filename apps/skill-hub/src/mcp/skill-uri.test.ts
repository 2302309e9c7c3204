import { expect, test } from '@jest/globals';
import { parseSkillUri, renderSkillUri } from './skill-uri.ts';

test.each([
  ['skill://notes/SKILL.md', { skill: 'notes', path: 'SKILL.md' }],
  ['skill://notes/references/a%20b.md', { skill: 'notes', path: 'references/a b.md' }],
])('%s names a file of a skill', (uri, file) => {
  expect(parseSkillUri(uri)).toEqual(file);
  expect(renderSkillUri(file)).toBe(uri);
});

test.each(['skill://notes', 'skill:///SKILL.md', 'file:///etc/passwd', 'skill://notes/%E0%A4%A', 'notes/SKILL.md'])(
  '%s names none',
  (uri) => expect(parseSkillUri(uri)).toBeUndefined(),
);
