import { must, isFields, type Journey } from './journey.ts';
import { question } from './first-run.ts';

const document = {
  name: 'house-rules',
  policy_type: 'llm',
  rules: [{ id: 'a', name: 'Birds', patterns: ['nightingale'], action: 'block', severity: 'High' }],
};

/** A policy before it bites: tried on samples, in shadow, and then enforced. */
export const policyInShadow: Journey = {
  name: 'A policy before it bites: samples, shadow, enforce',
  mostCalls: 8,
  async walk(walker) {
    const { proxy, url, key } = Object.fromEntries(walker.shared);
    must(isFields(proxy), 'the first run has left a proxy');
    const text = 'Tell me of nightingale 12';
    const place = `/proxies/${String(proxy['id'])}/policies/house-rules`;
    await walker.signIn();
    await walker.api('POST', '/policies/test', { body: { policy: document, test_content: [text] } });
    await walker.api('POST', '/policies', { body: { document } });
    await walker.api('PUT', place, { body: { mode: 'shadow' } });
    const send = (status: number) => walker.proxy(String(url), String(key), { body: question(text), status });
    await send(200);
    const found = '/system/alerts?policy_name=house-rules&shadow=true';
    await walker.apiUntil(found, ({ total }) => Number(total) > 0);
    await walker.api('PUT', place, { body: { mode: 'enforce' } });
    await send(403);
  },
};
