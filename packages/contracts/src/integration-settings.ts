import { Type, type Static } from 'typebox';
import { Exact } from './fields.ts';
import { sentKinds } from './gateway-events.ts';
import { alertCategories, severities } from './records.ts';

/** Settings of the integrations: where alerts go, and which of them. */

const enabled = (what: string) =>
  Type.Boolean({ default: false, description: `Whether alerts are delivered to ${what}.` });

const severity = (usual: (typeof severities)[number]) =>
  Type.Enum(severities, { 'x-any-case': true, default: usual, description: 'Less severe alerts are not delivered.' });

/** An alert is delivered when it passes both. */
const filter = {
  minimum_severity: severity('Medium'),
  categories: Type.Array(Type.Enum(alertCategories, { 'x-any-case': true }), {
    maxItems: alertCategories.length,
    uniqueItems: true,
    default: [...alertCategories],
    description: 'Categories that are delivered.',
  }),
};

/** Machines sort out for themselves what they get. */
const filterOfMachines = { ...filter, minimum_severity: severity('Low') };

type SentKind = (typeof sentKinds)[number];

/** What is sent at all; severity and category choose among alerts alone. */
const events = (kinds: readonly SentKind[], chosen: readonly SentKind[] = kinds) =>
  Type.Array(Type.Enum([...kinds], { 'x-any-case': true }), {
    maxItems: kinds.length,
    uniqueItems: true,
    default: [...chosen],
    description:
      'What is sent: alerts, and happenings of these kinds. minimum_severity and categories choose among alerts.',
  });

/** A URL, or the mask of one that is secret. */
const url = (description: string, usual = '') =>
  Type.String({
    maxLength: 2_048,
    pattern: '^(https?://\\S+|\\*{8})?$',
    'x-allowed': 'a URL that begins with http:// or https://, or empty',
    default: usual,
    description,
  });

const secret = (description: string) => Type.String({ maxLength: 1_024, default: '', description });

export const chatFormats = ['slack', 'mattermost', 'discord', 'teams'] as const;

export const chatWebhook = {
  enabled: enabled('the chat'),
  format: Type.Enum(chatFormats, {
    default: 'slack',
    description: 'The shape of messages: that of Slack, Mattermost, Discord, or a workflow of Microsoft Teams.',
  }),
  webhook_url: url('Incoming webhook. Empty: none.'),
  channel: Type.String({
    maxLength: 80,
    default: '',
    description: "For Slack and Mattermost. Empty: the webhook's own channel.",
  }),
  events: events(['alerts', 'proxy_status', 'integration_status']),
  ...filter,
};
export const ChatWebhookSettings = Exact(chatWebhook, { title: 'ChatWebhookSettings' });
export type ChatWebhookSettings = Static<typeof ChatWebhookSettings>;

/** The filter of any channel. */
export type AlertFilter = Pick<ChatWebhookSettings, 'minimum_severity' | 'categories'>;

const maxRecipients = 50;
const address = '[^\\s,;<>@"]{1,64}@[^\\s,;<>@"]{1,253}';

export const email = {
  enabled: enabled('the recipients'),
  host: Type.String({
    maxLength: 253,
    pattern: '^[A-Za-z0-9._:-]*$',
    'x-allowed': 'a host name or an address without a port',
    default: '',
    description: 'SMTP server. Empty: none.',
  }),
  port: Type.Integer({
    minimum: 1,
    maximum: 65_535,
    default: 587,
    description: '465 begins with TLS; any other port changes to it with STARTTLS.',
  }),
  use_tls: Type.Boolean({
    default: true,
    description: 'Whether the connection must be encrypted. Without it no user name and no password are sent.',
  }),
  username: Type.String({ maxLength: 320, default: '', description: 'Empty: no login.' }),
  password: secret('Of the user name.'),
  from_address: Type.String({
    maxLength: 320,
    pattern: `^(${address})?$`,
    'x-allowed': 'an e-mail address such as gateway@example.com',
    default: '',
    description: 'The sender of every message.',
  }),
  recipients: Type.String({
    maxLength: 8_192,
    pattern: `^(${address}(\\s*,\\s*${address}){0,${maxRecipients - 1}})?$`,
    'x-allowed': `up to ${maxRecipients} e-mail addresses with commas between them`,
    default: '',
    description: 'All of them see one message.',
  }),
  format: Type.Enum(['html', 'text'], {
    default: 'html',
    description: 'html: with a plain text beside it; text: plain text alone.',
  }),
  digests: Type.Boolean({
    default: false,
    description:
      'Whether a flood of alerts is gathered: the first ones by themselves, those that follow in digests. Off: one message for each alert.',
  }),
  ...filter,
};
export const EmailSettings = Exact(email, { title: 'EmailSettings' });
export type EmailSettings = Static<typeof EmailSettings>;

export const siemFormats = ['json', 'elastic', 'splunk'] as const;

export const jsonBatches = ['off', 'array', 'lines'] as const;
export const compressions = ['auto', 'on', 'off'] as const;

export const siem = {
  enabled: enabled('the SIEM'),
  format: Type.Enum(siemFormats, {
    default: 'json',
    description:
      'json: one JSON document for each event; elastic: the _bulk API of Elasticsearch; splunk: the HTTP event collector of Splunk.',
  }),
  endpoint: url(
    'Where events are posted: any URL for json, the base URL of the cluster for elastic, that of the collector for splunk.',
  ),
  api_key: secret(
    'Sent as the product expects it: Bearer and X-API-Key for json, ApiKey for elastic, Splunk for splunk.',
  ),
  index: Type.String({
    maxLength: 255,
    pattern: '^[a-z0-9][a-z0-9._-]*$|^$',
    'x-allowed': 'the name of an index in lower case, or empty',
    default: 'security-alerts',
    description: 'Index, or data stream, of the events. Empty: the one of the token, for splunk.',
  }),
  verify_tls: Type.Boolean({
    default: true,
    description: 'Whether the certificate of the endpoint must be valid. Off: anyone on the way can read the API key.',
  }),
  batch_events: Type.Integer({
    minimum: 1,
    maximum: 500,
    default: 200,
    description: 'Most events in one post, which has at most a megabyte.',
  }),
  json_batches: Type.Enum(jsonBatches, {
    default: 'off',
    description: 'How json posts several events: not at all, as an array, or one in each line.',
  }),
  compression: Type.Enum(compressions, {
    default: 'auto',
    description: 'Whether bodies are compressed with gzip. auto: for elastic and splunk.',
  }),
  events: events(sentKinds),
  ...filterOfMachines,
};
export const SiemSettings = Exact(siem, { title: 'SiemSettings' });
export type SiemSettings = Static<typeof SiemSettings>;

export const webhook = {
  enabled: enabled('the webhook'),
  url: url('Where alerts are posted as JSON.'),
  signing_secret: Type.String({
    maxLength: 128,
    pattern: '^(whsec_[A-Za-z0-9+/]{32,90}={0,2}|\\*{8})?$',
    'x-allowed': 'whsec_ and 24 to 64 bytes in base64',
    default: '',
    description:
      'Signs each message after the Standard Webhooks specification, so that the receiver can check its sender.',
  }),
  events: events(sentKinds, ['alerts']),
  ...filter,
};
export const WebhookSettings = Exact(webhook, { title: 'WebhookSettings' });
export type WebhookSettings = Static<typeof WebhookSettings>;

export const pagerduty = {
  enabled: enabled('PagerDuty'),
  routing_key: Type.String({
    maxLength: 64,
    pattern: '^([A-Za-z0-9]{32}|\\*{8})?$',
    'x-allowed': 'the 32 characters of an integration key of the Events API v2',
    default: '',
    description: 'Integration key of the service.',
  }),
  endpoint: Type.String({
    maxLength: 2_048,
    pattern: '^https?://\\S+$',
    'x-allowed': 'a URL that begins with http:// or https://',
    default: 'https://events.pagerduty.com/v2/enqueue',
    description: 'https://events.eu.pagerduty.com/v2/enqueue for accounts in the EU.',
  }),
  ...filter,
};
export const PagerdutySettings = Exact(pagerduty, { title: 'PagerdutySettings' });
export type PagerdutySettings = Static<typeof PagerdutySettings>;

export const traceServices = ['langfuse', 'otlp'] as const;

export const llmObservability = {
  enabled: Type.Boolean({
    default: false,
    description: 'Whether a trace of each request to a model is sent, with its model, usage, cost, times and verdicts.',
  }),
  service: Type.Enum(traceServices, {
    default: 'langfuse',
    description: 'langfuse: the project of the two keys; otlp: any collector that takes OTLP over HTTP as JSON.',
  }),
  host: url(
    'Base URL. Traces go to /api/public/otel/v1/traces of it for langfuse, and to /v1/traces for otlp.',
    'https://cloud.langfuse.com',
  ),
  public_key: Type.String({ maxLength: 256, default: '', description: 'Of the Langfuse project, begins with pk-lf-.' }),
  secret_key: secret('Of the Langfuse project, begins with sk-lf-.'),
  authorization: secret('For otlp: what the header Authorization says, such as "Bearer …". Empty: none.'),
  verify_tls: Type.Boolean({
    default: true,
    description: 'Whether the certificate of the host must be valid. Off: anyone on the way can read the keys.',
  }),
  include_content: Type.Boolean({
    default: false,
    description:
      'Whether traces also hold what was asked and answered. Credentials and personal data that the built-in rules know are ' +
      'replaced, and all else leaves the gateway for the service as it was written. Of each side, some 16,000 characters.',
  }),
};
export const LlmObservabilitySettings = Exact(llmObservability, { title: 'LlmObservabilitySettings' });
export type LlmObservabilitySettings = Static<typeof LlmObservabilitySettings>;

/** In the order of their codes in RFC 5424, from 0. */
export const syslogFacilities = [
  'kern',
  'user',
  'mail',
  'daemon',
  'auth',
  'syslog',
  'lpr',
  'news',
  'uucp',
  'cron',
  'authpriv',
  'ftp',
  'ntp',
  'audit',
  'alert',
  'clock',
  'local0',
  'local1',
  'local2',
  'local3',
  'local4',
  'local5',
  'local6',
  'local7',
] as const;

export const syslogTransports = ['tls', 'tcp'] as const;
export const syslogFormats = ['text', 'json'] as const;

const pem = (label: string, description: string) =>
  Type.String({
    maxLength: 16_384,
    pattern: `^(\\s*-----BEGIN [A-Z ]*${label}-----[A-Za-z0-9+/=\\s-]+|\\*{8})?$`,
    'x-allowed': `PEM that begins with -----BEGIN ${label}-----, or empty`,
    default: '',
    description,
  });

export const syslog = {
  enabled: enabled('the syslog server'),
  host: Type.String({
    maxLength: 253,
    pattern: '^[A-Za-z0-9._:-]*$',
    'x-allowed': 'a host name or an address without a port',
    default: '',
    description: 'Server that takes RFC 5424. Empty: none.',
  }),
  port: Type.Integer({
    minimum: 1,
    maximum: 65_535,
    default: 6_514,
    description: 'Usually 6514 for tls, 514 for tcp.',
  }),
  transport: Type.Enum(syslogTransports, {
    default: 'tls',
    description:
      'tls: RFC 5425; tcp: RFC 6587 with the length before each message. Over tcp anyone on the way can read along.',
  }),
  verify_tls: Type.Boolean({
    default: true,
    description: 'Whether the certificate of the server must be valid.',
  }),
  client_certificate: pem('CERTIFICATE', 'That the gateway shows, for servers that ask for one. Empty: none.'),
  client_key: pem('PRIVATE KEY', 'Of client_certificate, without a passphrase.'),
  facility: Type.Enum(syslogFacilities, { default: 'local0', description: 'Facility of all messages.' }),
  app_name: Type.String({
    maxLength: 48,
    pattern: '^[!-~]{1,48}$',
    'x-allowed': '1 to 48 visible ASCII characters',
    default: 'portcullis',
    description: 'APP-NAME of all messages.',
  }),
  structured_data_id: Type.String({
    maxLength: 32,
    pattern: '^[A-Za-z0-9._-]{1,20}@[0-9]{1,10}(\\.[0-9]{1,10})*$',
    'x-allowed': 'a name, @, and a private enterprise number',
    default: 'portcullis@32473',
    description:
      'SD-ID of the structured data. 32473 is the number that is reserved for examples; take your own if you have one.',
  }),
  message_format: Type.Enum(syslogFormats, {
    default: 'text',
    description: 'What stands in MSG: text: a sentence for people; json: an event in the Elastic Common Schema.',
  }),
  max_message_bytes: Type.Integer({
    minimum: 2_048,
    maximum: 65_536,
    default: 8_192,
    description: 'Longest message, in bytes. Texts are cut to fit. Servers should take 8,192.',
  }),
  events: events(sentKinds),
  ...filterOfMachines,
};
export const SyslogSettings = Exact(syslog, { title: 'SyslogSettings' });
export type SyslogSettings = Static<typeof SyslogSettings>;
