import { firstOf, isFields, must, type Fields, type Journey } from './journey.ts';

const evaluations = '/security/guardrails/evaluations';

/** An evaluation, and what flipped since the one before. */
export const evaluation: Journey = {
  name: 'Evaluation: run, compare, mark',
  mostCalls: 8,
  async walk(walker) {
    const { proxy, key } = Object.fromEntries(walker.shared);
    must(isFields(proxy), 'the first run has left a proxy');
    const run = async (name: string, endpoint: Fields) => {
      const { id } = await walker.api('POST', evaluations, {
        body: { name, endpoint_id: endpoint['id'], categories: ['pii_extraction'], concurrency: 10, delay_ms: 0 },
      });
      const done = await walker.apiUntil(
        `${evaluations}/${String(id)}/status`,
        ({ status }) => status !== 'running' && status !== 'pending',
      );
      must(done['status'] === 'completed', `the evaluation ${name} is completed`);
      return String(id);
    };
    await walker.signIn();
    const endpoint = await walker.api('POST', '/security/guardrails/endpoints', {
      body: { name: 'chat', proxy_id: proxy['id'], model: 'gpt-4o-mini', auth_type: 'bearer', api_key: key },
    });
    const before = await run('before', endpoint);
    const after = await run('after', endpoint);
    const compared = await walker.api('GET', `${evaluations}/${after}/compare?baseline_id=${before}`);
    must(Number(compared['compared']) > 0, 'cases are compared');
    firstOf(await walker.api('GET', `${evaluations}/${after}/results?limit=10`), 'results');
  },
};
