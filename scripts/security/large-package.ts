import { randomBytes, randomUUID } from 'node:crypto';
import type { SkillPackage } from '../../packages/contracts/src/routes/skill-packages.ts';
import type { ManagementClient } from '../../packages/testkit/src/management-client.ts';
import { harmlessSkill, zipOf } from './skill-tools.ts';

/** Inflates to some fifty times its size, as pictures that are mostly one colour do. */
const filler = (index: number): Buffer =>
  Buffer.concat([Buffer.alloc(9_400_000, `abcdefghij klmnop ${index}`), randomBytes(90_000)]);

const pngHead = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** What is done with the approved package of a name. */
type UsePackage<Value> = (name: string) => Promise<Value>;

/** Has an approved package of nine files beside its SKILL.md, which inflate to 85 MB, while `use` takes. */
export const withLargePackage = <Value>(admin: ManagementClient, use: UsePackage<Value>): Promise<Value> =>
  withPackage(
    admin,
    Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`data/${index}.png`, filler(index)])),
    use,
  );

/** The same for one whose ZIP has 7 MB, as many as a body of JSON carries. */
export const withHeavyPackage = <Value>(admin: ManagementClient, use: UsePackage<Value>): Promise<Value> =>
  withPackage(admin, { 'data/0.png': Buffer.concat([pngHead, randomBytes(6_900_000)]) }, use);

async function withPackage<Value>(
  admin: ManagementClient,
  files: Readonly<Record<string, Buffer>>,
  use: UsePackage<Value>,
): Promise<Value> {
  const name = `large-${randomUUID().slice(0, 8)}`;
  const { package: added } = await admin.expect<{ package: SkillPackage }>('POST', '/security/skills/packages', {
    content: zipOf({ 'SKILL.md': harmlessSkill(name), ...files }),
  });
  try {
    await admin.expect('POST', `/security/skills/registry/${added.skill_id}/approve`, {
      content_hash: added.tree_hash,
      notes: 'Nine pictures that are too long for the scanner',
    });
    return await use(name);
  } finally {
    await admin.call('DELETE', `/security/skills/registry/${added.skill_id}`);
  }
}
