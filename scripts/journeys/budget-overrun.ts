import { firstOf, isFields, must, type Journey } from './journey.ts';
import { question } from './first-run.ts';

/** From a spent budget to the key that spent it, and a higher budget. */
export const budgetOverrun: Journey = {
  name: 'Budget overrun: team to key to requests',
  mostCalls: 6,
  async walk(walker) {
    const { group, url, key } = Object.fromEntries(walker.shared);
    must(isFields(group), 'the first run has left a user group');
    const team = `/user-groups/${String(group['id'])}`;
    const ask = (status: number) => walker.proxy(String(url), String(key), { body: question('Good evening'), status });
    await walker.prepare(async () => {
      await walker.signIn();
      await walker.api('PUT', team, { body: { monthly_budget: 0.000_001 } });
      await walker.apiUntil(`${team}/budget-status`, ({ is_exceeded: exceeded }) => exceeded === true);
    });
    await walker.signIn();
    const status = await walker.api('GET', `${team}/budget-status`);
    must(status['is_exceeded'] === true, 'the budget is spent');
    const query = `team=${String(group['id'])}&group_by=key,model,day`;
    const row = firstOf(await walker.api('GET', `/spend?${query}`), 'groups');
    const keyId = String(row['key']);
    const page = await walker.api('GET', `/requests?key=${keyId}&order=cost`);
    must(firstOf(page, 'requests')['api_key_name'] === 'first', 'the requests are those of the key');
    await walker.api('PUT', team, { body: { monthly_budget: 100 } });
    await ask(200);
  },
};
