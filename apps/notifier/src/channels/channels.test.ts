import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ChannelName } from '@portcullis/contracts/channels';
import { settingsSections, type Settings } from '@portcullis/contracts/settings';
import { Secret } from '@portcullis/platform/config/secret';
import { startLoopbackPeer } from '@portcullis/testkit/loopback-peer';
import { startSyslogPeer } from '@portcullis/testkit/syslog-peer';
import {
  startDiscordPeer,
  startElasticPeer,
  startPagerdutyPeer,
  startSplunkPeer,
  startTeamsPeer,
  type VendorPeer,
} from '@portcullis/testkit/vendor-peers';
import { Webhook } from 'standardwebhooks';
import { createHttpSender, type HttpSender } from '../senders/http-sender.ts';
import { createMailSender } from '../senders/mail-sender.ts';
import { createSyslogSender } from '../senders/syslog-sender.ts';
import { anAlert, anEvent } from './an-alert.fixture.ts';
import type { Destination } from './shared/channel.ts';
import { channels } from './channels.ts';

const rule = { allowPrivate: true };
let http: HttpSender;
beforeAll(() => {
  http = createHttpSender(rule);
});
afterAll(async () => http[Symbol.asyncDispose]());

/** A destination by settings as an admin writes them, secrets among them. */
function open(name: ChannelName, set: Readonly<Record<string, unknown>>): Destination {
  const channel = channels[name];
  const settings = { ...settingsSections[channel.section].defaults, enabled: true, ...set };
  const section = {
    settings,
    secret: (field: string) =>
      typeof set[field] === 'string' && set[field] !== '' ? new Secret(set[field]) : undefined,
  };
  const openAny = channel.open as (section: unknown, tools: unknown) => Destination;
  return openAny(section, { http, mail: createMailSender(rule), syslog: createSyslogSender(rule) });
}

const never = new AbortController().signal;
const apiKey = 'key-of-the-siem';
const routingKey = 'R'.repeat(32);

const hostile = anAlert({
  title: `<b>@everyone</b> [link](http://x.example) ${'"'.repeat(400)}`,
  description: '**bold** <!channel>\n'.repeat(300),
  raw_data: { findings: [{ evidence: '`_*[]()'.repeat(400) }] },
});

const blank = anAlert({
  id: 9,
  description: ' \n',
  source: ' ',
  target: '',
  raw_data: { findings: [{ evidence: '   ' }] },
});

interface Trial {
  readonly channel: ChannelName;
  readonly start: () => Promise<VendorPeer>;
  readonly settings: (peer: VendorPeer) => Readonly<Record<string, unknown>>;
  /** Part of what arrives for the alert of the fixture. */
  readonly arrives: unknown;
  /** Part of what arrives for the event of the fixture; undefined where only alerts are taken. */
  readonly tells?: unknown;
}

const trials: Readonly<Record<string, Trial>> = {
  Elasticsearch: {
    channel: 'siem',
    start: () => startElasticPeer(apiKey),
    settings: ({ url }) => ({ format: 'elastic', endpoint: `${url}/`, api_key: apiKey }),
    arrives: {
      '@timestamp': '2026-11-20T10:20:30.000Z',
      event: { kind: 'alert', type: ['denied'], severity: 73 },
      rule: { id: 'PI-001', ruleset: 'llm-security' },
      source: { ip: '10.1.2.3' },
      user: { name: 'ci key' },
    },
    tells: {
      event: { kind: 'event', category: ['configuration'], type: ['change'], action: 'policy.updated', severity: 1 },
      user: { name: 'admin', id: '1', roles: ['admin'] },
      portcullis: { resource: { type: 'policy', id: '3' }, changes: '{"enabled":{"from":false,"to":true}}' },
    },
  },
  Splunk: {
    channel: 'siem',
    start: () => startSplunkPeer(apiKey),
    settings: ({ url }) => ({ format: 'splunk', endpoint: url, api_key: apiKey }),
    arrives: {
      time: 1_795_170_030,
      index: 'security-alerts',
      event: { severity: 'High', event_type: 'security_alert', ocsf: { class_uid: 2004, severity_id: 4 } },
    },
    tells: {
      sourcetype: 'portcullis:event',
      event: { event_type: 'configuration', ocsf: { class_uid: 6003, type_uid: 600_303, severity_id: 1 } },
    },
  },
  PagerDuty: {
    channel: 'pagerduty',
    start: () => startPagerdutyPeer(routingKey),
    settings: ({ url }) => ({ endpoint: `${url}/v2/enqueue`, routing_key: routingKey }),
    arrives: {
      event_action: 'trigger',
      payload: {
        summary: '[AI Security Alert] High: Security Rule Triggered: Instruction override',
        severity: 'error',
        source: '10.1.2.3',
      },
    },
  },
  Discord: {
    channel: 'chat',
    start: startDiscordPeer,
    settings: ({ url }) => ({ format: 'discord', webhook_url: url }),
    arrives: { allowed_mentions: { parse: [] }, embeds: [{ footer: { text: 'Portcullis alert 7' } }] },
    tells: {
      embeds: [{ color: 0x60_7d_8b, fields: expect.arrayContaining([{ name: 'User', value: 'admin', inline: true }]) }],
    },
  },
  Teams: {
    channel: 'chat',
    start: startTeamsPeer,
    settings: ({ url }) => ({ format: 'teams', webhook_url: url }),
    arrives: { type: 'message', attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive' }] },
    tells: { type: 'message' },
  },
};

const withEvents = Object.entries(trials).filter(([, { tells }]) => tells !== undefined);

test.each(withEvents)('%s takes an event, and a hostile one', async (_name, { channel, start, settings, tells }) => {
  await using peer = await start();
  const { events } = open(channel, { ...settings(peer), events: ['configuration'] });
  expect(events?.accepts(anEvent())).toBe(true);
  expect(events?.accepts(anEvent({ kind: 'system' }))).toBe(false);
  expect(await events?.send(anEvent(), never)).toMatchObject({ kind: 'delivered' });
  expect(peer.taken).toMatchObject([tells]);
  const long = { message: '<!here> "'.repeat(900), error: '**x**'.repeat(900), details: { a: 'b'.repeat(9_000) } };
  expect(await events?.send(anEvent({ ...long, id: 'other' }), never)).toMatchObject({ kind: 'delivered' });
});

test('channels without a choice of events take alerts alone', () => {
  const without = Object.keys(channels).filter((name) => open(name as ChannelName, {}).events === undefined);
  expect(without).toEqual(['email', 'pagerduty']);
});

describe.each(Object.entries(trials))('%s', (_name, { channel, start, settings, arrives }) => {
  test('takes an alert, a hostile one and a test message', async () => {
    await using peer = await start();
    const destination = open(channel, settings(peer));
    expect(destination.missing).toBeUndefined();
    expect(await destination.send(anAlert(), never)).toMatchObject({ kind: 'delivered' });
    expect(peer.taken).toMatchObject([arrives]);
    expect(await destination.send({ ...hostile, id: 8 }, never)).toMatchObject({ kind: 'delivered' });
    expect(await destination.send(blank, never)).toMatchObject({ kind: 'delivered' });
    expect(await destination.verify(never)).toMatchObject({ kind: 'delivered' });
    expect(peer.taken.length).toBeGreaterThanOrEqual(3);
  });

  test('takes an alert with the address where it is read', async () => {
    await using peer = await start();
    const url = 'https://gateway.example/gate/console/alerts/7';
    const destination = open(channel, settings(peer));
    expect(await destination.send({ ...anAlert(), url }, never)).toMatchObject({ kind: 'delivered' });
    expect(JSON.stringify(peer.taken)).toContain(`"${url}"`);
    expect(await destination.send({ ...anAlert({ id: 8 }) }, never)).toMatchObject({ kind: 'delivered' });
    expect(JSON.stringify(peer.taken.slice(1))).not.toContain('/console/');
  });

  test('that is down is told with why', async () => {
    await using peer = await start();
    await peer.down();
    expect(await open(channel, settings(peer)).verify(never)).toMatchObject({
      kind: 'failed',
      reason: expect.stringContaining('the connection is refused at this port (ECONNREFUSED)'),
    });
  });
});

describe('a SIEM', () => {
  test('of Elastic has what comes twice once, and that is a success', async () => {
    await using peer = await startElasticPeer(apiKey);
    const destination = open('siem', trials['Elasticsearch']?.settings(peer) ?? {});
    for (let turn = 0; turn < 2; turn += 1)
      expect(await destination.send(anAlert(), never)).toMatchObject({ kind: 'delivered' });
    expect(peer.taken).toHaveLength(1);
  });

  test.each([
    ['elastic', { api_key: 'wrong' }, 'The SIEM answered 401 (security_exception): it does not know the credentials'],
    ['elastic', { index: 'other' }, 'The SIEM did not store the event: index_not_found_exception (404)'],
    ['splunk', { api_key: 'wrong' }, 'The SIEM answered 403 (Invalid token): the credentials do not allow this'],
    ['splunk', { index: 'other' }, 'The SIEM answered 400 (Incorrect index)'],
  ] as const)('by %s with %j: the reason is told', async (format, change, reason) => {
    await using peer = await (format === 'elastic' ? startElasticPeer(apiKey) : startSplunkPeer(apiKey));
    const destination = open('siem', { format, endpoint: peer.url, api_key: apiKey, ...change });
    expect(await destination.verify(never)).toMatchObject({ kind: 'refused', reason });
    expect(peer.taken).toEqual([]);
  });

  test('of any kind gets one JSON document with both schemas', async () => {
    await using peer = await startLoopbackPeer((_request, response) => void response.end('{}'));
    const destination = open('siem', { endpoint: `${peer.url}/in`, api_key: apiKey, index: 'main' });
    expect(await destination.send(anAlert(), never)).toMatchObject({ kind: 'delivered' });
    const [request] = peer.requests;
    expect(request).toMatchObject({ path: '/in', headers: { authorization: `Bearer ${apiKey}`, 'x-api-key': apiKey } });
    expect(JSON.parse(request?.body ?? '')).toMatchObject({
      event_id: 'portcullis-alert-7',
      index: 'main',
      ecs: { ecs: { version: '8.11.0' } },
      ocsf: { metadata: { version: '1.3.0' }, finding_info: { uid: '7' } },
    });
  });
});

test('PagerDuty has one incident for a rule and a source, and the one of a test is resolved', async () => {
  await using peer = await startPagerdutyPeer(routingKey);
  const destination = open('pagerduty', { endpoint: `${peer.url}/v2/enqueue`, routing_key: routingKey });
  for (const id of [7, 8]) await destination.send(anAlert({ id }), never);
  await destination.send(anAlert({ id: 9, source: '10.9.9.9' }), never);
  const [first, second, other] = peer.taken.map((event) => (event as { dedup_key: string }).dedup_key);
  expect(first).toBe(second);
  expect(first).not.toBe(other);
  await destination.verify(never);
  expect(peer.taken.slice(3)).toMatchObject([{ event_action: 'trigger' }, { event_action: 'resolve' }]);
});

describe('a syslog server', () => {
  const to = (port: number) => ({ host: '127.0.0.1', port, transport: 'tcp', facility: 'auth' });

  const told = 'Security Rule Triggered: Instruction override';

  test.each([
    ['text', (text: string): unknown => text, `${told}: ${anAlert().description}`],
    ['json', (text: string): unknown => JSON.parse(text), { event: { kind: 'alert' }, rule: { name: told } }],
  ])('takes an alert, a hostile one and a test message as %s', async (format, read, shown) => {
    await using peer = await startSyslogPeer({ maxBytes: 2_048 });
    const destination = open('syslog', { ...to(peer.port), message_format: format, max_message_bytes: 2_048 });
    expect(await destination.send(anAlert(), never)).toEqual({ kind: 'delivered', status: null });
    expect(await destination.send(hostile, never)).toMatchObject({ kind: 'delivered' });
    expect(await destination.verify(never)).toMatchObject({ kind: 'delivered' });
    expect(peer.refusals).toEqual([]);
    const [first, second, third] = peer.messages;
    expect(first).toMatchObject({
      facility: 4,
      severity: 3,
      timestamp: '2026-11-20T10:20:30.000Z',
      appName: 'portcullis',
      messageId: 'alert',
      data: {
        origin: { software: 'Portcullis' },
        'portcullis@32473': {
          eventId: 'portcullis-alert-7',
          severity: 'High',
          category: 'Policy Violations',
          action: 'Block',
          policy: 'llm-security',
          rule: 'PI-001',
          src: '10.1.2.3',
          user: 'ci key',
          evidence: 'ignore all previous instructions',
        },
      },
    });
    expect({ text: read(first?.text ?? '') }).toMatchObject({ text: shown });
    expect(second?.bytes).toBeLessThanOrEqual(2_048);
    expect(third).toMatchObject({ severity: 5, data: { 'portcullis@32473': { rule: 'TEST' } } });
  });

  test('takes many on one connection', async () => {
    await using peer = await startSyslogPeer();
    const destination = open('syslog', to(peer.port));
    const ids = Array.from({ length: 150 }, (_, at) => at);
    const outcomes = await Promise.all(ids.map((id) => destination.send(anAlert({ id }), never)));
    expect(outcomes.every(({ kind }) => kind === 'delivered')).toBe(true);
    expect(peer.messages).toHaveLength(150);
    expect(peer.connections()).toBe(1);
  });

  test('takes an event', async () => {
    await using peer = await startSyslogPeer();
    const { events } = open('syslog', to(peer.port));
    expect(await events?.send(anEvent(), never)).toMatchObject({ kind: 'delivered' });
    expect(peer.messages).toMatchObject([
      {
        severity: 6,
        messageId: 'policy.updated',
        text: 'user admin: policy.updated llm-security (policy 3)',
        data: { 'portcullis@32473': { kind: 'configuration', user: 'admin', resourceId: '3', src: '10.1.2.3' } },
      },
    ]);
  });

  test.each([
    ['Critical', 2],
    ['High', 3],
    ['Medium', 4],
    ['Low', 5],
  ] as const)('has %s as severity %s', async (severity, code) => {
    await using peer = await startSyslogPeer();
    await open('syslog', to(peer.port)).send(anAlert({ severity }), never);
    expect(peer.messages).toMatchObject([{ severity: code }]);
  });
});

describe('a webhook', () => {
  const signingSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

  test('is signed as the library of Standard Webhooks wants it', async () => {
    await using peer = await startLoopbackPeer((_request, response) => void response.end());
    const destination = open('webhook', { url: peer.url, signing_secret: signingSecret });
    expect(await destination.send(anAlert(), never)).toMatchObject({ kind: 'delivered' });
    const [request] = peer.requests;
    const headers = (request?.headers ?? {}) as Record<string, string>;
    expect(new Webhook(signingSecret).verify(request?.body ?? '', headers)).toMatchObject({
      type: 'alert.created',
      data: { id: 7, severity: 'High' },
    });
    expect(headers['webhook-id']).toBe('alert_7');
    expect(() => new Webhook(signingSecret).verify(`${request?.body} `, headers)).toThrow('No matching signature');
  });

  test('tells events where they are wanted', async () => {
    await using peer = await startLoopbackPeer((_request, response) => void response.end());
    const settings = { url: peer.url, signing_secret: signingSecret };
    expect(open('webhook', settings).events?.accepts(anEvent())).toBe(false);
    const { events } = open('webhook', { ...settings, events: ['configuration'] });
    expect(events?.accepts(anEvent())).toBe(true);
    expect(await events?.send(anEvent(), never)).toMatchObject({ kind: 'delivered' });
    expect(peer.requests[0]?.headers['webhook-id']).toBe(`event_${anEvent().id}`);
    expect(JSON.parse(peer.requests[0]?.body ?? '')).toMatchObject({
      type: 'policy.updated',
      data: { kind: 'configuration' },
    });
  });
});

test.each<[ChannelName, Readonly<Record<string, unknown>>, string]>([
  ['chat', {}, 'No chat webhook URL is set'],
  ['siem', {}, 'No endpoint of a SIEM is set'],
  ['siem', { endpoint: 'https://x.example', format: 'splunk' }, 'No API key of the SIEM is set'],
  ['siem', { endpoint: 'https://x.example', format: 'elastic', api_key: 'k', index: '' }, 'No index is set'],
  ['webhook', { url: 'https://x.example' }, 'No signing secret is set'],
  ['pagerduty', {}, 'No routing key is set'],
  ['syslog', {}, 'No syslog server is set'],
  ['syslog', { host: 'logs.example', client_certificate: 'PEM' }, 'client_certificate has no client_key'],
  ['syslog', { host: 'logs.example', client_key: 'PEM' }, 'client_key has no client_certificate'],
  ['email', {}, 'No SMTP server is set'],
  ['email', { host: 'mail.example' }, 'No sender is set'],
  ['email', { host: 'mail.example', from_address: 'a@b.example' }, 'No recipients are set'],
  [
    'email',
    { host: 'mail.example', from_address: 'a@b.example', recipients: 'c@d.example', username: 'u' },
    'The user name has no password',
  ],
  [
    'email',
    {
      host: 'm.example',
      from_address: 'a@b.example',
      recipients: 'c@d.example',
      username: 'u',
      password: 'p',
      use_tls: false,
    },
    'A user name and its password are only sent over TLS',
  ],
] satisfies [ChannelName, Partial<Settings[keyof Settings]>, string][])(
  '%s with %j: %s',
  async (name, set, missing) => {
    const destination = open(name, set);
    expect(destination.missing).toBe(missing);
    expect(await destination.send(anAlert(), never)).toEqual({ kind: 'refused', status: null, reason: missing });
  },
);
