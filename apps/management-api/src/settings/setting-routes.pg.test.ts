import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sentKinds } from '@portcullis/contracts/gateway-events';
import { alertCategories } from '@portcullis/contracts/records';
import {
  exportSettings,
  getEffectiveSettings,
  getSettings,
  getSettingsSchema,
  importSettings,
  resetSettings,
  updateSettings,
} from '@portcullis/contracts/routes/settings';
import { openSection } from '@portcullis/platform/settings/open-section';
import { startManagement, stores, type TestManagement } from '../../test/start-management.ts';

describe.each(stores)('settings (%s)', (store) => {
  let management: TestManagement;
  beforeAll(async () => {
    management = await startManagement(store);
  });
  afterAll(() => management.stop());
  const change = (chat: object) => management.admin.data(updateSettings, { body: { chat_webhook: chat } });
  const stored = async () => {
    const { database, encryption } = management.infrastructure;
    const { settings, secret } = await openSection(database, encryption, 'chat_webhook');
    return { ...settings, webhookUrl: secret('webhook_url') };
  };

  test('have defaults before anything is set', async () => {
    const filter = { minimum_severity: 'Medium', categories: [...alertCategories] };
    expect(await management.admin.data(getSettings)).toEqual({
      general: { system_name: 'Portcullis', log_level: null },
      retention: { request_logs_days: null, token_usage_days: null },
      canaries: { alert_on_echo: false, retention_days: 30 },
      mcp_monitoring: { enabled: true, interval_minutes: 360 },
      agent_monitoring: { enabled: true, interval_minutes: 360, card_change_action: 'hold' },
      mcp_servers: { require_auth: false, allowed_hosts: [], requests_per_minute: 600 },
      pricing: { models: {}, unknown_model: 'allow' },
      skill_hub: { require_auth: false, quarantine_on_report: false },
      chat_webhook: {
        enabled: false,
        format: 'slack',
        webhook_url: '',
        channel: '',
        events: ['alerts', 'proxy_status', 'integration_status'],
        ...filter,
      },
      email: {
        enabled: false,
        host: '',
        port: 587,
        use_tls: true,
        username: '',
        password: '',
        from_address: '',
        recipients: '',
        format: 'html',
        digests: false,
        ...filter,
      },
      siem: {
        enabled: false,
        format: 'json',
        endpoint: '',
        api_key: '',
        index: 'security-alerts',
        verify_tls: true,
        batch_events: 200,
        json_batches: 'off',
        compression: 'auto',
        events: [...sentKinds],
        ...filter,
        minimum_severity: 'Low',
      },
      syslog: {
        enabled: false,
        host: '',
        port: 6_514,
        transport: 'tls',
        verify_tls: true,
        client_certificate: '',
        client_key: '',
        facility: 'local0',
        app_name: 'portcullis',
        structured_data_id: 'portcullis@32473',
        message_format: 'text',
        max_message_bytes: 8_192,
        events: [...sentKinds],
        ...filter,
        minimum_severity: 'Low',
      },
      webhook: { enabled: false, url: '', signing_secret: '', events: ['alerts'], ...filter },
      pagerduty: {
        enabled: false,
        routing_key: '',
        endpoint: 'https://events.pagerduty.com/v2/enqueue',
        ...filter,
      },
      llm_observability: {
        enabled: false,
        service: 'langfuse',
        host: 'https://cloud.langfuse.com',
        public_key: '',
        secret_key: '',
        authorization: '',
        verify_tls: true,
        include_content: false,
      },
    });
  });

  test('show secrets as a mask, store them sealed, and keep them when the mask comes back', async () => {
    const url = 'https://chat.example/services/very-secret';
    const saved = await change({ enabled: true, webhook_url: url, channel: '#alerts' });
    expect(saved.chat_webhook).toMatchObject({ enabled: true, webhook_url: '********', channel: '#alerts' });
    expect(await management.admin.data(getSettings)).toEqual(saved);
    const rows = await management.infrastructure.database.kysely.selectFrom('settings').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain('very-secret');

    await change({ minimum_severity: 'CRITICAL' as 'Critical', categories: ['guardrails' as 'Guardrails'] });
    expect(await stored()).toMatchObject({ minimum_severity: 'Critical' });
    await change({ ...saved.chat_webhook, minimum_severity: 'High' });
    const channel = await stored();
    expect(channel).toMatchObject({ enabled: true, channel: '#alerts', minimum_severity: 'High' });
    expect(channel.webhookUrl?.reveal()).toBe(url);

    expect((await change({ webhook_url: '' })).chat_webhook.webhook_url).toBe('');
    expect((await stored()).webhookUrl).toBeUndefined();
  });

  test('are refused when they are not valid', async () => {
    const refuse = (body: object) => management.admin.refusal(updateSettings, { body });
    expect(await refuse({ chat_webhook: { colour: 'red' } })).toMatchObject({
      status: 400,
      problems: [{ path: '/body/chat_webhook/colour', rule: 'is not a known field' }],
    });
    for (const chat of [
      { webhook_url: 'ftp://chat.example' },
      { webhook_url: 'http://169.254.169.254/latest' },
      { webhook_url: '***' },
      { minimum_severity: 'Severe' },
      { categories: ['Weather'] },
      { enabled: 'yes' },
    ]) {
      expect(await refuse({ chat_webhook: chat })).toMatchObject({ status: 400 });
    }
    expect(await refuse({ carrier_pigeon: {} })).toMatchObject({ status: 400 });
    for (const fields of [{ system_name: '' }, { system_name: ' x' }, { log_level: 'loud' }]) {
      expect(await refuse({ general: fields })).toMatchObject({ status: 400 });
    }
    const settled = await management.admin.data(getSettings);
    const half = { general: { system_name: 'Half' }, chat_webhook: { webhook_url: 'http://169.254.169.254/' } };
    expect(await refuse(half)).toMatchObject({ status: 400 });
    expect(await refuse({ retention: { request_logs_days: 1 } })).toMatchObject({ status: 400 });
    expect(await management.admin.data(getSettings)).toEqual(settled);
  });

  test('ask for a credential again when it would go to another host', async () => {
    const { admin } = management;
    const set = (siem: object) => admin.data(updateSettings, { body: { siem } });
    await set({ endpoint: 'https://siem.example/in', api_key: 'first' });
    await set({ endpoint: 'https://siem.example/other', api_key: '********' });
    for (const siem of [
      { endpoint: 'https://elsewhere.example/in' },
      { endpoint: 'https://siem.example:8443/in', api_key: '********' },
    ])
      expect(await admin.refusal(updateSettings, { body: { siem } })).toMatchObject({
        status: 400,
        problems: [{ path: '/body/siem/api_key', rule: 'must be given again, since it was given for another host' }],
      });
    expect((await set({ endpoint: 'https://elsewhere.example/in', api_key: 'second' })).siem).toMatchObject({
      endpoint: 'https://elsewhere.example/in',
      api_key: '********',
    });
    await admin.data(resetSettings, { body: { section: 'siem' } });
  });

  test.each([
    ['email', { host: '169.254.169.254' }, '/body/email/host'],
    ['siem', { endpoint: 'http://169.254.169.254/' }, '/body/siem/endpoint'],
    ['syslog', { host: '169.254.169.254' }, '/body/syslog/host'],
    ['webhook', { url: 'http://[fe80::1]/' }, '/body/webhook/url'],
    ['pagerduty', { endpoint: 'http://169.254.169.254/' }, '/body/pagerduty/endpoint'],
    ['llm_observability', { host: 'http://169.254.169.254/' }, '/body/llm_observability/host'],
  ])('%s must not lead to %j', async (section, fields, path) => {
    expect(await management.admin.refusal(updateSettings, { body: { [section]: fields } })).toMatchObject({
      status: 400,
      problems: [{ path }],
    });
  });

  test('take slack for chat_webhook', async () => {
    const saved = await management.admin.data(updateSettings, { body: { slack: { channel: '#slack' } } });
    expect(saved.chat_webhook.channel).toBe('#slack');
  });

  test('describe themselves: rules, defaults, secrets, and that they apply live', async () => {
    const { sections } = await management.admin.data(getSettingsSchema);
    const fields = sections.flatMap(({ name, fields }) => fields.map((field) => ({ section: name, ...field })));
    expect(fields.find(({ name }) => name === 'webhook_url')).toMatchObject({
      secret: true,
      applies: 'live',
      default: '',
    });
    expect(fields.find(({ name }) => name === 'log_level')).toMatchObject({
      section: 'general',
      schema: { enum: ['error', 'warn', 'info', 'debug', null] },
      default: null,
    });
    expect(fields.filter(({ description }) => description === '')).toEqual([]);
  });

  test('are shown with the options in force, without secrets', async () => {
    const { options, settings } = await management.admin.data(getEffectiveSettings);
    const option = (wanted: string) => options.find(({ name }) => name === wanted);
    expect(option('LOG_LEVEL')).toMatchObject({ value: 'info', secret: false, applies: 'restart' });
    expect(option('JWT_SECRET')).toMatchObject({ value: '********', secret: true });
    expect(option('TRACING_OTLP_ENDPOINT')).toMatchObject({ value: null });
    expect(JSON.stringify(options)).not.toContain('jjjj');
    expect(settings).toEqual(await management.admin.data(getSettings));
  });

  test('are exported without secrets, imported as a whole or tried, and reset', async () => {
    const { admin } = management;
    await change({ webhook_url: 'https://chat.example/kept', channel: '#here' });
    const exported = await admin.data(exportSettings);
    expect(exported.settings).toEqual(await admin.data(getSettings));
    const body = {
      ...exported,
      settings: { ...exported.settings, general: { system_name: 'East', log_level: 'warn' as const } },
    };
    const tried = await admin.data(importSettings, { query: { dry_run: true }, body });
    expect(tried).toEqual({
      dry_run: true,
      changes: [
        { section: 'general', field: 'system_name', from: 'Portcullis', to: 'East' },
        { section: 'general', field: 'log_level', from: null, to: 'warn' },
      ],
      settings: exported.settings,
    });
    expect(await admin.data(getSettings)).toEqual(exported.settings);
    const done = await admin.data(importSettings, { body });
    expect(done).toMatchObject({ dry_run: false, changes: tried.changes, settings: body.settings });
    expect((await stored()).webhookUrl?.reveal()).toBe('https://chat.example/kept');
    expect(await admin.status(importSettings, { body: { ...exported, settings: { general: {} } } })).toBe(400);

    const one = await admin.data(resetSettings, { body: { section: 'general' } });
    expect([one.general.system_name, one.chat_webhook.channel]).toEqual(['Portcullis', '#here']);
    const all = await admin.data(resetSettings, { body: { section: 'all' } });
    expect([all.chat_webhook.channel, all.chat_webhook.webhook_url]).toEqual(['', '']);
    expect(await admin.status(resetSettings, { body: { section: 'moon' } })).toBe(400);
  });

  test('leave evidence of their changes, without the secrets', async () => {
    await change({ webhook_url: 'https://chat.example/unspeakable', channel: '#audited' });
    const records = await management.infrastructure.database.kysely
      .selectFrom('audit_log')
      .selectAll()
      .where('event_type', '=', 'settings.updated')
      .execute();
    expect(JSON.stringify(records)).toContain('#audited');
    expect(JSON.stringify(records)).not.toContain('unspeakable');
  });

  test('are an admin’s to change', async () => {
    const viewer = management.anonymous.as(await management.signIn('viewer'));
    expect(await viewer.status(getSettings)).toBe(200);
    expect(await viewer.status(updateSettings, { body: {} })).toBe(403);
  });
});
