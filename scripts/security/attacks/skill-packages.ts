import { judge, type Attack } from '../attack.ts';
import { withLargePackage } from '../large-package.ts';
import { createSkillStranger, harmlessSkill } from '../skill-tools.ts';

const longestWaitMs = 1_000;

export const skillPackages: readonly Attack[] = [
  {
    name: 'a stranger reads one file of a package that inflates to 85 MB, ten times at once',
    attacker: 'stranger',
    slow: true,
    expected: `the file, and no caller waits for ${longestWaitMs / 1_000} s`,
    run: ({ url, admin, measureWaits }) =>
      withLargePackage(admin, async (name) => {
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
      }),
  },
];
