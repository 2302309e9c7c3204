import type { SkillPackage } from '../../../packages/contracts/src/routes/skill-packages.ts';
import { randomBytes, randomUUID } from 'node:crypto';
import { judge, type Attack } from '../attack.ts';
import { createSkillStranger, harmlessSkill, zipOf } from '../skill-tools.ts';

const longestWaitMs = 1_000;

/** Inflates to some fifty times its size, as pictures that are mostly one colour do. */
const filler = (index: number): Buffer =>
  Buffer.concat([Buffer.alloc(9_400_000, `abcdefghij klmnop ${index}`), randomBytes(90_000)]);

export const skillPackages: readonly Attack[] = [
  {
    name: 'a stranger reads one file of a package that inflates to 85 MB, ten times at once',
    attacker: 'stranger',
    slow: true,
    expected: `the file, and no caller waits for ${longestWaitMs / 1_000} s`,
    async run({ url, admin, measureWaits }) {
      const name = `large-${randomUUID().slice(0, 8)}`;
      const files = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`data/${index}.png`, filler(index)]));
      const { package: added } = await admin.expect<{ package: SkillPackage }>('POST', '/security/skills/packages', {
        content: zipOf({ 'SKILL.md': harmlessSkill(name), ...files }),
      });
      try {
        await admin.expect('POST', `/security/skills/registry/${added.skill_id}/approve`, {
          content_hash: added.tree_hash,
        });
        const stranger = createSkillStranger(url);
        const read = () => stranger.send('resources/read', { uri: `skill://${name}/SKILL.md` });
        const faults: string[] = [];
        const waitedMs = await measureWaits(async () => {
          for (const { result, error } of await Promise.all(Array.from({ length: 10 }, read))) {
            const [content] = (result?.['contents'] ?? []) as readonly { text?: string }[];
            if (content?.text !== harmlessSkill(name)) faults.push(`no file: ${error?.message ?? 'another text'}`);
          }
        });
        if (waitedMs > longestWaitMs) faults.push(`others waited ${Math.round(waitedMs)} ms`);
        return judge(faults, `read, and others waited ${Math.round(waitedMs)} ms`);
      } finally {
        await admin.call('DELETE', `/security/skills/registry/${added.skill_id}`);
      }
    },
  },
];
