import { randomUUID } from 'node:crypto';
import { startLoopbackPeer } from '../../../packages/testkit/src/loopback-peer.ts';
import { waitFor } from '../../../packages/testkit/src/wait-for.ts';
import { judge, type Attack } from '../attack.ts';
import { createSkillStranger } from '../skill-tools.ts';

const words =
  '@channel <!channel> [sign in again](https://phish.example/login) ![x](https://phish.example/beacon.png) <https://phish.example|sign in>';

/** What a chat would make a link, a picture or a call to a channel of. */
const live: Readonly<Record<string, RegExp>> = {
  slack: /<!channel>|<https?:/,
  mattermost: /@channel|\]\(http|https:\/\//,
  discord: /@channel|\]\(http|(?<!\\)<https?:/,
  teams: /\]\(http|!\[/,
};

const stringsOf = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsOf) : [];
};

/** What a stranger reports of a skill, and an alert carries into the chat of the admins. */
export const chatTexts: readonly Attack[] = Object.keys(live).map((format, index) => ({
  name: `a stranger writes links, pictures and calls to a channel into a report that ${format} shows`,
  attacker: 'stranger',
  expected: 'they are shown as they were written',
  async run({ url, admin }) {
    await using chat = await startLoopbackPeer((_request, response) => void response.writeHead(200).end('ok'));
    const name = `chat-${randomUUID().slice(0, 8)}`;
    const webhook = { enabled: true, format, webhook_url: `${chat.url}/hooks/x`, minimum_severity: 'Low' };
    await admin.expect('PUT', '/system/settings', { chat_webhook: webhook });
    try {
      await createSkillStranger(url, `127.0.3.${index + 1}`).use('report_skill_activity', {
        skill_name: name,
        activity_type: 'credential_access',
        agent_name: '@channel',
        description: words,
      });
      const find = () => chat.requests.find(({ body }) => body.includes(name.slice(5)));
      await waitFor(() => find() !== undefined, { what: 'the message' });
      const shown = stringsOf(JSON.parse(find()?.body ?? '{}'));
      const isSaid = shown.some((text) => text.includes('phish'));
      const faults = shown.filter((text) => live[format]?.test(text) === true).map((text) => text.slice(0, 200));
      return judge(isSaid ? faults : ['the message does not have what was reported'], 'shown as written');
    } finally {
      await admin.expect('PUT', '/system/settings', { chat_webhook: { enabled: false } });
    }
  },
}));
