import type { Problem } from '@portcullis/contracts/envelope';
import { getSettings, testChatWebhook, updateSettings } from '@portcullis/contracts/routes/settings';
import {
  secretContext,
  secretMask,
  settingsSections,
  type Settings,
  type SettingsChange,
  type SettingsSection,
} from '@portcullis/contracts/settings';
import { sendChatTest } from '@portcullis/platform/chat/send-chat-test';
import { recordAudit } from '@portcullis/platform/audit/record-audit';
import { allowsPrivateTargets } from '@portcullis/platform/config/config';
import { checkTargetUrl } from '@portcullis/platform/http/address-guard';
import { bind, type BoundRoute } from '@portcullis/platform/http/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import type { Infrastructure } from '@portcullis/platform/lifecycle/infrastructure';
import type { Encryption } from '@portcullis/platform/security/encryption';
import { auditEntry, audited } from '../audit/audited.ts';
import { loadSections, saveSection } from './setting-queries.ts';

type SettingsParts = Pick<Infrastructure, 'database' | 'encryption' | 'config'>;
type Fields = Readonly<Record<string, unknown>>;

export function settingRoutes(parts: SettingsParts): BoundRoute[] {
  const { database, encryption, config } = parts;

  return [
    bind(getSettings, async () => ({ data: await loadSettings(database) })),

    bind(updateSettings, async (call) => {
      const { body } = call;
      checkWebhookOrThrow(body, allowsPrivateTargets(config));
      await audited(
        database,
        call,
        async (transaction) => {
          const before = await loadSections(transaction);
          for (const [section, fields] of Object.entries(body)) {
            if (isSection(section)) await saveSection(transaction, section, sealSecrets(section, fields, encryption));
          }
          return { before, after: await loadSections(transaction) };
        },
        ({ before, after }) => ({
          event: 'settings.updated',
          resource: { type: 'settings', id: null, name: Object.keys(body).join(', ') },
          before: Object.fromEntries(before),
          after: Object.fromEntries(after),
          secrets: Object.values(settingsSections).flatMap((section) => section.secrets),
        }),
      );
      return { data: await loadSettings(database), message: 'Settings saved' };
    }),

    bind(testChatWebhook, async (call) => {
      const outcome = await sendChatTest(parts);
      if (outcome === undefined) throw new GatewayError('conflict', { message: 'No chat webhook URL is set' });
      const success = outcome.kind === 'delivered';
      const test = {
        event: 'integration.tested',
        resource: { type: 'integration', id: 'chat', name: 'chat' },
        result: success ? 'success' : 'failure',
        ...(!success && { error_message: outcome.reason }),
      } as const;
      await recordAudit(database.kysely, auditEntry(call, test));
      return {
        data: { success, status_code: outcome.status, message: success ? 'Test message sent' : outcome.reason },
      };
    }),
  ];
}

const isSection = (name: string): name is SettingsSection => Object.hasOwn(settingsSections, name);

/** Every section with its defaults filled in, secrets as masks. */
async function loadSettings(database: Infrastructure['database']): Promise<Settings> {
  const stored = await loadSections(database);
  const sections = Object.entries(settingsSections).map(([section, { defaults, secrets }]): [string, Fields] => {
    const fields: Fields = { ...defaults, ...stored.get(section) };
    const masked = secrets
      .filter((field) => fields[field] !== '')
      .map((field): [string, string] => [field, secretMask]);
    return [section, { ...fields, ...Object.fromEntries(masked) }];
  });
  // What was stored had passed the same schema.
  return Object.fromEntries(sections) as Settings;
}

/** Encrypts the secrets among the fields; a mask means "as it was" and is left out. */
function sealSecrets(section: SettingsSection, fields: Fields, encryption: Encryption): Fields {
  const secrets: readonly string[] = settingsSections[section].secrets;
  const seal = ([field, value]: [string, unknown]): [string, unknown] =>
    secrets.includes(field) && value !== ''
      ? [field, encryption.encrypt(String(value), secretContext(section, field))]
      : [field, value];
  const kept = Object.entries(fields).filter(([field, value]) => !secrets.includes(field) || value !== secretMask);
  return Object.fromEntries(kept.map(seal));
}

/** @throws {GatewayError} when the chat webhook points where the gateway must not go */
function checkWebhookOrThrow({ chat_webhook: chat }: SettingsChange, allowPrivate: boolean): void {
  const url = chat?.webhook_url ?? '';
  if (url === '' || url === secretMask) return;
  const problem = checkTargetUrl(url, { allowPrivate });
  if (problem === undefined) return;
  const problems: Problem[] = [{ path: '/body/chat_webhook/webhook_url', rule: problem.rule }];
  throw new GatewayError('bad_request', { problems });
}
