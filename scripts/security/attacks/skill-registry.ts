import { hash, randomUUID } from 'node:crypto';
import type { SkillPackage } from '../../../packages/contracts/src/routes/skill-packages.ts';
import type { ManagementClient } from '../../../packages/testkit/src/management-client.ts';
import { judge, type Attack } from '../attack.ts';
import {
  createSkillStranger,
  findRow,
  harmlessSkill,
  hostileSkill,
  zipOf,
  type SkillStranger,
} from '../skill-tools.ts';

interface Approval {
  readonly approval: { readonly approved: boolean; readonly status: string; readonly notes: string | null };
}
interface Analysis {
  readonly analysis: { readonly approval_status: string };
}

const registry = '/security/skills/registry';

/** A skill of a name of its own; disposing deletes every version of it. */
async function openSkill(admin: ManagementClient, stranger: SkillStranger) {
  const name = `clock-${randomUUID().slice(0, 8)}`;
  const submit = (source: string, version = '1.0.0') =>
    stranger.use<Analysis>('analyze_skill', {
      skill_name: name,
      skill_source: source,
      agent_name: 'stranger',
      version,
    });
  const decide = async (decision: 'approve' | 'reject', body: object = {}, version = '1.0.0') =>
    admin.call('POST', `${registry}/${(await findRow(admin, name, version))?.id}/${decision}`, body);
  const check = (more: object = {}) => stranger.use<Approval>('check_skill_approval', { skill_name: name, ...more });
  return {
    name,
    submit,
    decide,
    check,
    async [Symbol.asyncDispose]() {
      for (let row = await findRow(admin, name); row !== undefined; row = await findRow(admin, name))
        await admin.expect('DELETE', `${registry}/${row.id}`);
    },
  };
}

export const skillRegistry: readonly Attack[] = [
  {
    name: 'a stranger submits another text under the name and version of an approved skill',
    attacker: 'stranger',
    expected: 'it waits beside the approved one, which stays approved by its hash; by name it says that it changed',
    async run({ url, admin }) {
      await using skill = await openSkill(admin, createSkillStranger(url));
      const good = harmlessSkill(skill.name);
      const contentHash = hash('sha256', good);
      await skill.submit(good);
      await skill.decide('approve', { content_hash: contentHash });
      const faults: string[] = [];
      const other = await skill.submit(hostileSkill(skill.name));
      if (other.analysis.approval_status !== 'pending') faults.push(`it is ${other.analysis.approval_status}`);
      const byHash = (await skill.check({ content_hash: contentHash })).approval;
      if (!byHash.approved) faults.push(`the approval of the other ended: ${byHash.status}`);
      const byName = (await skill.check()).approval;
      if (byName.approved || byName.notes?.includes('changed after its approval') !== true)
        faults.push(`by name: ${byName.status}, ${byName.notes}`);
      await skill.decide('reject', { content_hash: hash('sha256', hostileSkill(skill.name)) });
      if (!(await skill.check({ content_hash: contentHash })).approval.approved)
        faults.push('a no to it ended the approval');
      const hostile = (await skill.check({ content_hash: hash('sha256', hostileSkill(skill.name)) })).approval;
      if (hostile.approved) faults.push('the other text is approved');
      return judge(faults, 'approved by its hash, and the other one is not');
    },
  },
  {
    name: 'a stranger swaps a skill a moment before an admin approves it',
    attacker: 'stranger',
    expected: '428 without the hash that was looked at, 412 with it; 200 for what is there',
    async run({ url, admin }) {
      await using skill = await openSkill(admin, createSkillStranger(url));
      const [seen, swapped] = [harmlessSkill(skill.name), hostileSkill(skill.name)];
      await skill.submit(seen);
      await skill.submit(swapped);
      const answers = [
        await skill.decide('approve', { notes: 'fine' }),
        await skill.decide('approve', { content_hash: hash('sha256', seen) }),
        await skill.decide('approve', { content_hash: hash('sha256', swapped) }),
      ].map(({ status }) => status);
      return judge(answers.join(' ') === '428 412 200' ? [] : [answers.join(' ')], answers.join(', '));
    },
  },
  {
    name: 'an agent asks for the SKILL.md of an approved package whose scripts it replaced',
    attacker: 'stranger',
    expected: 'approved is the tree and the ZIP, not the SKILL.md alone',
    async run({ url, admin }) {
      await using skill = await openSkill(admin, createSkillStranger(url));
      const text = harmlessSkill(skill.name, 'Run `bash scripts/run.sh`.');
      const content = zipOf({ 'SKILL.md': text, 'scripts/run.sh': 'date\n' });
      const { package: added } = await admin.expect<{ package: SkillPackage }>('POST', '/security/skills/packages', {
        content,
      });
      await skill.decide('approve', { content_hash: added.tree_hash });
      const faults: string[] = [];
      const ask = async (contentHash: string) => (await skill.check({ content_hash: contentHash })).approval.approved;
      if (await ask(hash('sha256', text))) faults.push('the SKILL.md alone is approved');
      for (const whole of [added.tree_hash, added.sha256])
        if (!(await ask(whole))) faults.push('the package is not approved');
      const alone = (await skill.submit(text)).analysis.approval_status;
      if (alone !== 'pending') faults.push(`submitted alone it is ${alone}`);
      if (!(await ask(added.tree_hash))) faults.push('it ended the approval of the package');
      return judge(faults, 'the tree and the ZIP are approved');
    },
  },
  {
    name: 'a stranger sends an approved old version again after a newer one was rejected',
    attacker: 'stranger',
    expected: 'asked by name, the skill stays rejected',
    async run({ url, admin }) {
      await using skill = await openSkill(admin, createSkillStranger(url));
      const good = harmlessSkill(skill.name);
      await skill.submit(good);
      await skill.decide('approve');
      const twin = (await skill.check()).approval.status;
      await skill.submit(hostileSkill(skill.name), '99.0.0');
      await skill.decide('reject', {}, '99.0.0');
      await skill.submit(good);
      const { status } = (await skill.check()).approval;
      const faults = [
        ...(twin === 'approved' ? [] : [`before it all it was ${twin}`]),
        ...(status === 'rejected' ? [] : [`it is ${status}`]),
      ];
      return judge(faults, status);
    },
  },
];
