import { expect, test } from '@jest/globals';
import { waitFor } from '@portcullis/testkit/wait-for';
import { openTestDatabase, silentLog } from '../../test/test-database.ts';
import { renderExpiryAlert, startExpiryAlerts } from './expiry-alerts.ts';
import type { ExpiringCertificate, Tls } from './tls.ts';

const ending = (daysLeft: number): ExpiringCertificate => ({
  name: 'TLS_CERT_FILE',
  subject: 'CN=gateway',
  fingerprint: 'ab'.repeat(32),
  endsAt: new Date('2030-01-01'),
  daysLeft,
});

test('is told once for 14, 7, 3 and 1 days and the end, by several processes together', async () => {
  await using database = await openTestDatabase('embedded');
  let daysLeft = 13;
  const tls = { ending: () => [ending(daysLeft)] } as unknown as Tls;
  const alerts = () =>
    database.kysely.selectFrom('alerts').select(['severity', 'title', 'rule_id']).orderBy('id').execute();
  const options = { tls, database, log: silentLog, intervalMs: 10 };
  await using _one = startExpiryAlerts(options);
  await using _other = startExpiryAlerts(options);
  await waitFor(async () => (await alerts()).length === 1, { what: 'the first alert' });
  daysLeft = 8;
  for (daysLeft of [7, 2, 0, -1]) {
    const before = (await alerts()).length;
    await waitFor(async () => (await alerts()).length > before, { what: `the alert at ${daysLeft}` });
  }
  expect((await alerts()).map(({ severity, title }) => `${severity} ${title}`)).toEqual([
    'Medium TLS Certificate Ends Soon',
    'Medium TLS Certificate Ends Soon',
    'High TLS Certificate Ends Soon',
    'High TLS Certificate Ends Soon',
    'Critical TLS Certificate Has Ended',
  ]);
});

test('has the same id for the same certificate and step', () => {
  const ids = [13, 8, 7].map((days) => renderExpiryAlert(ending(days)).event_id);
  expect(ids[0]).toBe(ids[1]);
  expect(ids[0]).not.toBe(ids[2]);
  expect(ids[0]).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
});
