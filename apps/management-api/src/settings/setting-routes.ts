import {
  exportSettings,
  getEffectiveSettings,
  getSettings,
  getSettingsSchema,
  importSettings,
  resetSettings,
  updateSettings,
} from '@portcullis/contracts/routes/settings';
import { settingsSections, type Settings, type SettingsChange } from '@portcullis/contracts/settings';
import { addressRuleOf } from '@portcullis/platform/config/config';
import type { AddressRule } from '@portcullis/platform/network/address-guard';
import type { Database, Queryable } from '@portcullis/platform/database/database';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import { version } from '@portcullis/platform/process/version';
import { audited, type AuditedCall } from '@portcullis/platform/audit/audited';
import { checkDestinationsOrThrow } from './check-destinations.ts';
import { describeOptions, describeSettings } from './describe-settings.ts';
import { loadSections, resetSections } from './setting-queries.ts';
import { compareSettings, loadSettings, resolveSynonyms, saveSettings, sectionNames } from './setting-store.ts';

interface SettingParts extends Pick<Infrastructure, 'database' | 'encryption' | 'config'> {
  readonly rule: AddressRule;
}

export function settingRoutes({ database, encryption, config }: Omit<SettingParts, 'rule'>): BoundRoute[] {
  const parts = { database, encryption, config, rule: addressRuleOf(config) };
  return [
    bindGetSettings,
    bindUpdateSettings,
    bindGetSettingsSchema,
    bindGetEffectiveSettings,
    bindResetSettings,
    bindExportSettings,
    bindImportSettings,
  ].map((bindRoute) => bindRoute(parts));
}

const bindGetSettings = ({ database }: SettingParts): BoundRoute =>
  bind(getSettings, async () => ({ data: await loadSettings(database) }));

function bindUpdateSettings(parts: SettingParts): BoundRoute {
  const { database, rule } = parts;
  return bind(updateSettings, async (call) => {
    const wanted = resolveSynonyms(call.body);
    await checkDestinationsOrThrow(await loadSettings(database), wanted, '/body', rule);
    return { data: await save(parts, call, 'update', wanted), message: 'Settings saved' };
  });
}

const bindGetSettingsSchema = (): BoundRoute => bind(getSettingsSchema, () => ({ data: describeSettings() }));

const bindGetEffectiveSettings = ({ database, config }: SettingParts): BoundRoute =>
  bind(getEffectiveSettings, async () => ({
    data: { settings: await loadSettings(database), options: describeOptions(config) },
  }));

const bindResetSettings = ({ database }: SettingParts): BoundRoute =>
  bind(resetSettings, async (call) => {
    const { section } = call.body;
    const data = await change(database, call, 'reset', (transaction) =>
      resetSections(transaction, section === 'all' ? sectionNames : [section]),
    );
    return { data, message: 'Settings are back at their defaults' };
  });

const bindExportSettings = ({ database }: SettingParts): BoundRoute =>
  bind(exportSettings, async () => ({
    data: {
      format: 'portcullis-settings-1' as const,
      exported_at: new Date().toISOString(),
      version,
      settings: await loadSettings(database),
    },
  }));

function bindImportSettings(parts: SettingParts): BoundRoute {
  const { database, rule } = parts;
  return bind(importSettings, async (call) => {
    const { settings: wanted } = call.body;
    const dryRun = call.query.dry_run;
    const now = await loadSettings(database);
    await checkDestinationsOrThrow(now, wanted, '/body/settings', rule);
    const changes = compareSettings(now, wanted);
    const settings = dryRun ? now : await save(parts, call, 'import', wanted);
    return { data: { dry_run: dryRun, changes, settings } };
  });
}

const save = ({ database, encryption }: SettingParts, call: AuditedCall, action: string, wanted: SettingsChange) =>
  change(database, call, action, (transaction) => saveSettings(transaction, wanted, encryption));

async function change(
  database: Database,
  call: AuditedCall,
  action: string,
  run: Parameters<typeof audited<void>>[2],
): Promise<Settings> {
  // As stored, sealed: a secret that changes shows as a change, and never as text.
  const load = async (transaction: Queryable) => Object.fromEntries(await loadSections(transaction));
  await audited(
    database,
    call,
    async (transaction) => {
      const before = await load(transaction);
      await run(transaction);
      return { before, after: await load(transaction) };
    },
    (states) => ({
      event: 'settings.updated',
      resource: { type: 'settings', id: null, name: 'settings' },
      action,
      ...states,
      secrets: secretFields,
    }),
  );
  return loadSettings(database);
}

const secretFields = sectionNames.flatMap((section): readonly string[] => settingsSections[section].secrets);
