import { Type, type Static, type TProperties } from 'typebox';
import { Exact, Name, Nullable, optional } from './fields.ts';
import {
  chatWebhook,
  ChatWebhookSettings,
  email,
  EmailSettings,
  llmObservability,
  LlmObservabilitySettings,
  pagerduty,
  PagerdutySettings,
  siem,
  SiemSettings,
  syslog,
  SyslogSettings,
  webhook,
  WebhookSettings,
} from './integration-settings.ts';

/**
 * What an admin sets while the gateway runs, one section per row of the table `settings`. Fields
 * that a section's `secrets` name are stored encrypted under `secretContext` and read back as
 * `secretMask`; a mask that comes back on a write means "as it was".
 */
export const secretMask = '********';

/** The encryption context of a secret setting: a value copied elsewhere does not decrypt. */
export const secretContext = (section: SettingsSection, field: string): string => `settings.${section}.${field}`;

export const logLevels = ['error', 'warn', 'info', 'debug'] as const;

const general = {
  system_name: Type.Unsafe<string>({
    ...Name,
    maxLength: 80,
    default: 'Portcullis',
    description: 'How this installation calls itself in system information.',
  }),
  log_level: Nullable(
    Type.Enum(logLevels, {
      default: null,
      description: 'Least severe lines that every process logs; null: the LOG_LEVEL of its environment.',
    }),
  ),
};
export const GeneralSettings = Exact(general, { title: 'GeneralSettings' });

const days = (minimum: number, description: string) =>
  Nullable(Type.Integer({ minimum, maximum: 3_650, default: null, description }));

const retention = {
  request_logs_days: days(7, 'Days that request logs are kept; null: REQUEST_LOG_RETENTION of the environment.'),
  token_usage_days: days(30, 'Days that usage records are kept; null: TOKEN_USAGE_RETENTION of the environment.'),
};
export const RetentionSettings = Exact(retention, { title: 'RetentionSettings' });

/** Tokens that are planted in conversations to show where texts leak. Proxies switch them on one by one. */
const canaries = {
  retention_days: Type.Integer({
    minimum: 1,
    maximum: 3_650,
    default: 30,
    description: 'Days that planted tokens are remembered. A token that is forgotten cannot show a leak.',
  }),
  alert_on_echo: Type.Boolean({
    default: false,
    description: 'Whether a token that comes back in its own conversation is an alert, too.',
  }),
};
export const CanarySettings = Exact(canaries, { title: 'CanarySettings' });

const usdPerMillion = (description: string) =>
  Type.Number({ minimum: 0, maximum: 1_000_000, description: `USD per million tokens${description}` });

const ModelRates = Exact({
  input: usdPerMillion(' read'),
  output: usdPerMillion(' written'),
  ...optional({
    cached_input: usdPerMillion(" read from the provider's cache; like other input when absent"),
    cache_write: usdPerMillion(" written to the provider's cache; like other input when absent"),
  }),
});

/** What models cost, where the built-in table does not know it or knows it wrong. */
const pricing = {
  models: Type.Record(Type.String({ pattern: '^\\S{1,200}$' }), ModelRates, {
    maxProperties: 500,
    default: {},
    'x-allowed': 'the name of a model, up to 200 characters without blanks',
    description:
      'Prices by the name of the model, or by its beginning with a * behind it. They win over the built-in ones.',
  }),
  unknown_model: Type.Enum(['allow', 'block'], {
    default: 'allow',
    description: 'A model without a price costs 0, which no budget sees; or it is refused where a budget is set.',
  }),
};
export const PricingSettings = Exact(pricing, { title: 'PricingSettings' });
export type PricingSettings = Static<typeof PricingSettings>;

/** Tools that are compared with what was approved, beside what traffic shows of them. */
const mcpMonitoring = {
  enabled: Type.Boolean({ default: true, description: 'Whether targets are asked for their tools again and again.' }),
  interval_minutes: Type.Integer({
    minimum: 1,
    maximum: 10_080,
    default: 360,
    description: 'Minutes between two questions to one target.',
  }),
};
export const McpMonitoringSettings = Exact(mcpMonitoring, { title: 'McpMonitoringSettings' });

/** Cards of agents that are compared with those in force. */
const agentMonitoring = {
  enabled: Type.Boolean({ default: true, description: 'Whether the cards of agents are read again and again.' }),
  interval_minutes: Type.Integer({
    minimum: 1,
    maximum: 10_080,
    default: 360,
    description: 'Minutes between two looks at the card of one agent.',
  }),
  card_change_action: Type.Enum(['hold', 'alert'], {
    default: 'hold',
    description:
      'hold: a card that says something else, or leads elsewhere, waits for an admin, and the known one stays in force; alert: it is taken over with an alert.',
  }),
};
export const AgentMonitoringSettings = Exact(agentMonitoring, { title: 'AgentMonitoringSettings' });
export type AgentMonitoringSettings = Static<typeof AgentMonitoringSettings>;

/** Skills that agents have scanned, and reports of what they do. */
const skillHub = {
  require_auth: Type.Boolean({
    default: false,
    description: 'Whether the MCP server of the skill hub asks for an API key or a login.',
  }),
  quarantine_on_report: Type.Boolean({
    default: false,
    description:
      'Whether a report of Medium severity or above about an approved skill makes the registry hold it back. Reports are not verified: any agent that reaches the hub can then hold skills back.',
  }),
};
export const SkillHubSettings = Exact(skillHub, { title: 'SkillHubSettings' });

/** The MCP servers of the gateway itself: discovery, and the skill hub. */
const mcpServers = {
  require_auth: Type.Boolean({
    default: false,
    description:
      'Whether clients must send a login token or an API key. Otherwise only what changes something needs one.',
  }),
  requests_per_minute: Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    default: 600,
    description: 'Messages of one address to one of these servers. 0 is no limit.',
  }),
  allowed_hosts: Type.Array(
    Type.String({
      minLength: 1,
      maxLength: 253,
      pattern: '^[a-z0-9._-]+$',
      'x-allowed': 'a name such as gateway.example.com, in lower case, without a port',
    }),
    {
      maxItems: 100,
      uniqueItems: true,
      default: [],
      description:
        'Names under which clients reach these servers, beside those of PUBLIC_URL and ALLOWED_ORIGINS. Addresses and names without a dot need none.',
    },
  ),
};
export const McpServerSettings = Exact(mcpServers, { title: 'McpServerSettings' });
export type McpServerSettings = Static<typeof McpServerSettings>;

/** By section. */
export const settingsSchemas = {
  general: GeneralSettings,
  retention: RetentionSettings,
  canaries: CanarySettings,
  pricing: PricingSettings,
  mcp_monitoring: McpMonitoringSettings,
  agent_monitoring: AgentMonitoringSettings,
  skill_hub: SkillHubSettings,
  mcp_servers: McpServerSettings,
  chat_webhook: ChatWebhookSettings,
  email: EmailSettings,
  siem: SiemSettings,
  syslog: SyslogSettings,
  webhook: WebhookSettings,
  pagerduty: PagerdutySettings,
  llm_observability: LlmObservabilitySettings,
};
export const Settings = Exact(settingsSchemas, { title: 'Settings' });
export type Settings = Static<typeof Settings>;
export type SettingsSection = keyof Settings;

/** A write: the sections and fields that change. */
export const SettingsChange = Exact(
  optional({
    general: Exact(optional(general)),
    retention: Exact(optional(retention)),
    canaries: Exact(optional(canaries)),
    pricing: Exact(optional(pricing)),
    mcp_monitoring: Exact(optional(mcpMonitoring)),
    agent_monitoring: Exact(optional(agentMonitoring)),
    skill_hub: Exact(optional(skillHub)),
    mcp_servers: Exact(optional(mcpServers)),
    chat_webhook: Exact(optional(chatWebhook)),
    email: Exact(optional(email)),
    siem: Exact(optional(siem)),
    syslog: Exact(optional(syslog)),
    webhook: Exact(optional(webhook)),
    pagerduty: Exact(optional(pagerduty)),
    llm_observability: Exact(optional(llmObservability)),
    slack: Exact(optional(chatWebhook), { title: 'SlackSynonym' }),
  }),
);
export type SettingsChange = Static<typeof SettingsChange>;

interface SectionFacts<Section extends SettingsSection> {
  /** What holds until an admin says otherwise. */
  readonly defaults: Settings[Section];
  readonly secrets: readonly (keyof Settings[Section] & string)[];
  /** The field that names where things are sent: a URL or a host. Secrets are asked for again when that is another host. */
  readonly destination?: keyof Settings[Section] & string;
  /** Fields that take effect only when the processes start again; all others do within seconds. */
  readonly restart: readonly (keyof Settings[Section] & string)[];
  readonly description: string;
  readonly fields: TProperties;
}

/** Every field carries its default in its schema. */
const defaultsOf = (fields: TProperties): unknown =>
  Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [name, (schema as { readonly default?: unknown }).default]),
  );

export const settingsSections: { readonly [Section in SettingsSection]: SectionFacts<Section> } = {
  general: {
    description: 'The installation as a whole.',
    fields: general,
    defaults: defaultsOf(general) as Settings['general'],
    secrets: [],
    restart: [],
  },
  retention: {
    description: 'How long records are kept. Expired ones are dropped once an hour.',
    fields: retention,
    defaults: defaultsOf(retention) as Settings['retention'],
    secrets: [],
    restart: [],
  },
  canaries: {
    description: 'Canary tokens of LLM proxies, see canary_injection_rate among the settings of a proxy.',
    fields: canaries,
    defaults: defaultsOf(canaries) as Settings['canaries'],
    secrets: [],
    restart: [],
  },
  pricing: {
    description: 'Prices of models, for usage and budgets.',
    fields: pricing,
    defaults: defaultsOf(pricing) as PricingSettings,
    secrets: [],
    restart: [],
  },
  mcp_monitoring: {
    description: 'The look after changes of the tools behind MCP proxies.',
    fields: mcpMonitoring,
    defaults: defaultsOf(mcpMonitoring) as Settings['mcp_monitoring'],
    secrets: [],
    restart: [],
  },
  agent_monitoring: {
    description: 'The look after changes of the cards of agents.',
    fields: agentMonitoring,
    defaults: defaultsOf(agentMonitoring) as AgentMonitoringSettings,
    secrets: [],
    restart: [],
  },
  skill_hub: {
    description: 'Skills that agents have scanned, and reports of what they do.',
    fields: skillHub,
    defaults: defaultsOf(skillHub) as Settings['skill_hub'],
    secrets: [],
    restart: [],
  },
  mcp_servers: {
    description: "The gateway's own MCP servers, at /api/v1/mcp.",
    fields: mcpServers,
    defaults: defaultsOf(mcpServers) as McpServerSettings,
    secrets: [],
    restart: [],
  },
  chat_webhook: {
    description: 'Alerts to the incoming webhook of a chat. May also be written as `slack`.',
    fields: chatWebhook,
    defaults: defaultsOf(chatWebhook) as ChatWebhookSettings,
    secrets: ['webhook_url'],
    destination: 'webhook_url',
    restart: [],
  },
  email: {
    description: 'Alerts by e-mail.',
    fields: email,
    defaults: defaultsOf(email) as EmailSettings,
    secrets: ['password'],
    destination: 'host',
    restart: [],
  },
  siem: {
    description: 'Alerts to a SIEM over HTTP.',
    fields: siem,
    defaults: defaultsOf(siem) as SiemSettings,
    secrets: ['api_key'],
    destination: 'endpoint',
    restart: [],
  },
  syslog: {
    description: 'Alerts to a syslog server.',
    fields: syslog,
    defaults: defaultsOf(syslog) as SyslogSettings,
    secrets: ['client_key'],
    destination: 'host',
    restart: [],
  },
  webhook: {
    description: 'Alerts to a webhook of your own, signed.',
    fields: webhook,
    defaults: defaultsOf(webhook) as WebhookSettings,
    secrets: ['signing_secret'],
    destination: 'url',
    restart: [],
  },
  pagerduty: {
    description: 'Alerts as events of PagerDuty.',
    fields: pagerduty,
    defaults: defaultsOf(pagerduty) as PagerdutySettings,
    secrets: ['routing_key'],
    destination: 'endpoint',
    restart: [],
  },
  llm_observability: {
    description: 'Traces of requests to models, to Langfuse or another service that takes OTLP.',
    fields: llmObservability,
    defaults: defaultsOf(llmObservability) as LlmObservabilitySettings,
    secrets: ['secret_key', 'authorization'],
    destination: 'host',
    restart: [],
  },
};
