import { allRoutes } from '../../../packages/contracts/src/all-routes.ts';
import { startLlmPeer } from '../../../packages/testkit/src/llm-peer.ts';
import { judge, type Attack } from '../attack.ts';

const secret = 'sk-security-never-to-be-read';
const readable = allRoutes.filter(
  ({ method, role, absolute, contentType }) =>
    method === 'GET' && (role === 'user' || role === 'viewer') && absolute !== true && contentType === undefined,
);

export const leakedSecrets: readonly Attack[] = [
  {
    name: 'a viewer reads everything a viewer may, looking for credentials of targets and guardrail providers',
    attacker: 'viewer',
    expected: 'none of them is in any answer',
    async run({ admin, viewer, openProxy }) {
      await using target = await startLlmPeer();
      const proxy = await openProxy({ target: target.url, targetKey: secret });
      const providers = '/security/guardrails/providers';
      const { id } = await admin.expect<{ id: number }>('POST', providers, {
        name: `security secrets ${proxy.id}`,
        provider_type: 'http',
        config: { url: `${target.url}/check`, headers: { 'x-secret': secret } },
        credentials: { api_key: secret },
      });
      try {
        const faults: string[] = [];
        for (const { path } of readable) {
          const ids = path.includes('/providers/') ? id : path.startsWith('/proxies/') ? proxy.id : proxy.groupId;
          const answer = await viewer.call('GET', path.replaceAll(/:\w+/g, String(ids)));
          if (JSON.stringify(answer).includes(secret)) faults.push(`GET ${path} tells it`);
        }
        return judge(faults, `${readable.length} routes, in none`);
      } finally {
        await admin.call('DELETE', `${providers}/${id}`);
      }
    },
  },
];
