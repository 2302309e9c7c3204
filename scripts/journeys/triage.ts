import { isFields, must, type Journey } from './journey.ts';

const dayMs = 86_400_000;

/** From the link in a chat to a false positive with an exception: what it is, what it came from, and the decision. */
export const triage: Journey = {
  name: 'Triage: chat link to resolution',
  mostCalls: 5,
  async walk(walker) {
    const alert = walker.shared.get('alert');
    must(isFields(alert), 'the first run has left an alert');
    await walker.signIn();
    const path = `/system/alerts/${String(alert['id'])}`;
    const shown = await walker.api('GET', path);
    must(isFields(shown['raw_data']), 'the alert shows what was found');
    const proposed = await walker.api('GET', `${path}/exception-scope`);
    const reason = 'A test of the team';
    await walker.api('PUT', `${path}/status`, { body: { status: 'false_positive', reason } });
    const { scope } = proposed;
    must(isFields(scope), 'a scope is proposed');
    const given = Object.fromEntries(Object.entries(scope).filter(([, value]) => value !== null));
    const ends = new Date(Date.now() + 7 * dayMs).toISOString();
    const exception = await walker.api('POST', '/security/exceptions', {
      body: { ...given, alert_id: alert['id'], reason, ends_at: ends },
    });
    must(exception['state'] === 'active', 'the exception holds');
    await walker.prepare(() =>
      walker.api('POST', `/security/exceptions/${String(exception['id'])}/end`, { body: { reason } }),
    );
  },
};
