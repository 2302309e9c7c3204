import { expect, test } from '@jest/globals';
import { emailAddress } from './contact-details.ts';

const address = new RegExp(emailAddress.patterns[0] as string, 'u');
/** Whether the first thing that looks like an address counts as one. */
function isMail(text: string): boolean {
  const found = address.exec(text);
  if (found === null) throw new Error(`Nothing looks like an address in ${text}`);
  const [match] = found;
  const before = text.slice(Math.max(0, found.index - 64), found.index);
  return emailAddress.validate(match, before, text.slice(found.index + match.length)) !== undefined;
}

test.each([
  'git remote add origin git@github.com:acme/widgets.git',
  'git clone ssh://git@bitbucket.org/team/repo.git',
  'url = git@gitlab.acme-corp.io:platform/api.git',
  'https://user@dev.azure.com/org/proj/_git/repo',
  'ssh deploy@build-host.io -p 22',
  'ssh -p 22 -i ~/.ssh/id_ed25519 deploy@build-host.io',
  '$(ssh -o StrictHostKeyChecking=no deploy@build-host.io uptime)',
  'rsync -av build/ www-data@web1.acme.net:/var/www',
  'rsync -av build/ www-data@web1.acme.net:',
  'scp dist.tgz deploy@build-host.io:releases',
  'psql postgres://app@db.acme.io:5432/app',
  'DATABASE_URL=mongodb+srv://app:hunter2@cluster0.acme.io/app',
  'Submodule path: git@ssh.dev.azure.com:v3/org/proj/repo',
  '{"url":"git@github.com:acme/widgets.git"}',
])('%s names a login on another machine', (text) => {
  expect(isMail(text)).toBe(false);
});

test.each([
  'write to ann.lee@post.test',
  'mailto:ann.lee@post.test',
  'ann.lee@post.test: please call',
  'ann.lee@post.test:hunter2',
  'My ssh key is with ann.lee@post.test now',
  'Author: Ann Lee <ann.lee@post.test>',
  'git config user.email ann.lee@post.test',
  'see https://post.test/people, or ask ann.lee@post.test',
  'curl -d to=ann.lee@post.test https://post.test',
  'rsync fails; ann.lee@post.test knows why',
])('%s is an address of mail', (text) => {
  expect(isMail(text)).toBe(true);
});
