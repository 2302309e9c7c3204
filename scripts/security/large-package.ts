import { randomBytes, randomUUID } from 'node:crypto';
import type { SkillPackage } from '../../packages/contracts/src/routes/skill-packages.ts';
import type { ManagementClient } from '../../packages/testkit/src/management-client.ts';
import { harmlessSkill, zipOf } from './skill-tools.ts';

/** Inflates to some fifty times its size, as pictures that are mostly one colour do. */
const filler = (index: number): Buffer =>
  Buffer.concat([Buffer.alloc(9_400_000, `abcdefghij klmnop ${index}`), randomBytes(90_000)]);

/** Has an approved package of nine files beside its SKILL.md, which inflate to 85 MB, while `use` takes. */
export async function withLargePackage<Value>(
  admin: ManagementClient,
  use: (name: string) => Promise<Value>,
): Promise<Value> {
  const name = `large-${randomUUID().slice(0, 8)}`;
  const files = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`data/${index}.png`, filler(index)]));
  const { package: added } = await admin.expect<{ package: SkillPackage }>('POST', '/security/skills/packages', {
    content: zipOf({ 'SKILL.md': harmlessSkill(name), ...files }),
  });
  try {
    await admin.expect('POST', `/security/skills/registry/${added.skill_id}/approve`, {
      content_hash: added.tree_hash,
    });
    return await use(name);
  } finally {
    await admin.call('DELETE', `/security/skills/registry/${added.skill_id}`);
  }
}
