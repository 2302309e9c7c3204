import { setTimeout as pause } from 'node:timers/promises';
import { startGuardrailPeer } from '../../../packages/testkit/src/guardrails/guardrail-peer.ts';
import { startLoopbackPeer, type PeerHandler } from '../../../packages/testkit/src/loopback-peer.ts';
import { startLlmPeer } from '../../../packages/testkit/src/llm-peer.ts';
import { waitFor } from '../../../packages/testkit/src/wait-for.ts';
import { ask, chatWith } from '../send-question.ts';
import { judge, type Attack } from '../attack.ts';
import type { Laboratory } from '../laboratory.ts';

const providers = '/security/guardrails/providers';
const timeoutMs = 1_000;
/** The provider's own time, and that of a busy machine. */
const longestMs = 10_000;
const longestCheck = 20_000;

const many = Array.from({ length: 20_000 }, (_, index) => `category ${index}`);
const violations: readonly unknown[] = [
  { flagged: 1e308, score: 1e308 },
  { flagged: true, score: -1e308, categories: many, rationale: 'r'.repeat(500_000) },
  { flagged: true, categories: ['a\0b', '\uD800', 'c'.repeat(500_000)], rationale: '\0\uD800' },
  { flagged: true, categories: Object.fromEntries(many.map((name) => [name, 1])) },
  { flagged: true, categories: { __proto__: { x: 1 }, constructor: 1 } },
];
/** Behind the others: a provider that fails again and again is not asked any more. */
const lies: readonly unknown[] = [...violations, {}, null, [], 7, 'safe', { flagged: 'false' }];

/** Answers that do not end, come drop by drop, or are no HTTP. */
const hanging: readonly PeerHandler[] = [
  () => undefined,
  (_request, response) => void response.writeHead(200).write('{'),
  async (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    for (let sent = 0; sent < 200 && !response.destroyed; sent += 1) {
      response.write(' '.repeat(65_536));
      await pause(1);
    }
  },
  (_request, response) => void response.socket?.end('garbage\r\n\r\n'),
  (_request, response) => void response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
];

interface Check {
  readonly verdict: string;
}

async function openJudged(laboratory: Laboratory, target: string, provider: object) {
  const proxy = await laboratory.openProxy({ target });
  const { id } = await laboratory.admin.expect<{ id: number }>('POST', providers, {
    name: `security ${proxy.id}`,
    timeout_ms: timeoutMs,
    failure_mode: 'closed',
    ...provider,
  });
  await laboratory.admin.expect('POST', `${providers}/${id}/assignments`, { proxy_id: proxy.id });
  const checks = (): Promise<{ checks: readonly Check[] }> =>
    laboratory.admin.expect('GET', `${providers}/checks?provider_id=${id}&limit=100`);
  const remove = () => laboratory.admin.call('DELETE', `${providers}/${id}`);
  return { proxy, checks, [Symbol.asyncDispose]: async () => void (await remove()) };
}

interface ListedProvider {
  readonly name: string;
  readonly passed_unchecked: number;
}

/** Whether an admin who set nothing up is told that a provider lets pass what it cannot judge. */
async function isTold({ admin }: Laboratory, name: string): Promise<boolean> {
  const { alerts } = await admin.expect<{ alerts: readonly { severity: string }[] }>(
    'GET',
    `/system/alerts?policy_name=${encodeURIComponent(`guardrail-${name}`)}`,
  );
  const { providers: listed } = await admin.expect<{ providers: readonly ListedProvider[] }>('GET', providers);
  const shown = listed.find((provider) => provider.name === name)?.passed_unchecked ?? 0;
  return shown > 0 && alerts.some(({ severity }) => severity !== 'Low');
}

export const hostileGuardrails: readonly Attack[] = [
  {
    name: 'a guardrail provider that fails, and lets pass what it cannot judge',
    attacker: 'target',
    expected: 'requests pass, an alert tells of it, and the list of providers counts it',
    async run(laboratory) {
      await using target = await startLlmPeer();
      await using provider = await startGuardrailPeer('http');
      await using judged = await openJudged(laboratory, target.url, { ...provider.provider, failure_mode: 'open' });
      provider.answerNext(1, { status: 500, body: 'out of order' });
      const { status } = await ask(judged.proxy, chatWith('hello'));
      const told = await waitFor(() => isTold(laboratory, `security ${judged.proxy.id}`), { what: 'the alert' }).catch(
        () => false,
      );
      const faults = [...(status === 200 ? [] : [`answered ${status}`]), ...(told ? [] : ['nobody is told'])];
      return judge(faults, 'told');
    },
  },
  {
    name: 'a guardrail provider answers nonsense, floods of names and characters that no database takes',
    attacker: 'target',
    expected: 'no verdict blocks, and every check is in the log, bounded',
    async run(laboratory) {
      await using target = await startLlmPeer();
      await using provider = await startGuardrailPeer('http');
      await using judged = await openJudged(laboratory, target.url, provider.provider);
      const faults: string[] = [];
      for (const [index, body] of lies.entries()) {
        provider.answerNext(1, { status: 200, body });
        const { status } = await ask(judged.proxy, chatWith(`question ${index}`));
        if (status < 400) faults.push(`${status} after ${JSON.stringify(body).slice(0, 60)}`);
      }
      const { checks } = await waitFor(
        async () => {
          const page = await judged.checks();
          return page.checks.length >= lies.length && page;
        },
        { what: 'the check log', timeoutMs: 20_000 },
      );
      const found = checks.filter(({ verdict }) => verdict === 'violation').length;
      if (found !== violations.length) faults.push(`${found} of ${violations.length} violations are in the log`);
      const longest = Math.max(...checks.map((check) => JSON.stringify(check).length));
      if (longest > longestCheck) faults.push(`a check of ${longest} characters is in the log`);
      return judge(faults, `all blocked; ${found} violations in the log, a line has ${longest} characters at most`);
    },
  },
  {
    name: 'a guardrail provider hangs, drips, floods, redirects or speaks no HTTP',
    attacker: 'target',
    expected: `blocked within its timeout; others do not wait`,
    slow: true,
    async run(laboratory) {
      await using target = await startLlmPeer();
      const faults: string[] = [];
      let longest = 0;
      for (const [index, handle] of hanging.entries()) {
        await using provider = await startLoopbackPeer(handle);
        const access = { provider_type: 'http', config: { url: provider.url } };
        await using judged = await openJudged(laboratory, target.url, access);
        const waitedMs = await laboratory.measureWaits(async () => {
          const startedAt = performance.now();
          const { status } = await ask(judged.proxy, chatWith('hello'));
          longest = Math.max(longest, performance.now() - startedAt);
          if (status < 400) faults.push(`${status} for way ${index}`);
        });
        if (waitedMs > longestMs) faults.push(`others waited ${Math.round(waitedMs)} ms for way ${index}`);
      }
      if (longest > longestMs) faults.push(`a caller waited ${Math.round(longest)} ms`);
      return judge(faults, `blocked, after ${Math.round(longest)} ms at most`);
    },
  },
];
