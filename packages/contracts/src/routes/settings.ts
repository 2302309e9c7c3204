import { Type, type Static } from 'typebox';
import { Exact } from '../fields.ts';
import { createRouteList } from '../route.ts';
import { Settings, SettingsChange, settingsSections, type SettingsSection } from '../settings.ts';

export const routes = createRouteList('Settings');

const applies = Type.Enum(['live', 'restart'], {
  description: 'live: within seconds, in every process. restart: when the processes start again',
});

export const SettingsSchema = Exact(
  {
    sections: Type.Array(
      Exact({
        name: Type.String(),
        description: Type.String(),
        fields: Type.Array(
          Exact({
            name: Type.String(),
            description: Type.String(),
            schema: Type.Record(Type.String(), Type.Unknown(), { description: 'JSON Schema of the value' }),
            default: Type.Unknown(),
            secret: Type.Boolean(),
            applies,
          }),
        ),
      }),
    ),
  },
  { title: 'SettingsSchema' },
);
export type SettingsSchema = Static<typeof SettingsSchema>;

export const EffectiveSettings = Exact(
  {
    settings: Settings,
    options: Type.Array(
      Exact({
        name: Type.String(),
        value: Type.Unknown({ description: 'As parsed, durations in milliseconds; null: not given' }),
        secret: Type.Boolean({ description: 'Its value reads as a mask' }),
        applies,
        description: Type.String(),
      }),
      { description: 'Of the environment of the process that answers' },
    ),
  },
  { title: 'EffectiveSettings' },
);
export type EffectiveSettings = Static<typeof EffectiveSettings>;

const Moment = Type.String({ format: 'date-time', maxLength: 40 });

const exportFormat = 'portcullis-settings-1';

export const SettingsExport = Exact(
  {
    format: Type.Enum([exportFormat]),
    exported_at: Moment,
    version: Type.String({ maxLength: 50 }),
    settings: Settings,
  },
  { title: 'SettingsExport' },
);
export type SettingsExport = Static<typeof SettingsExport>;

export const sectionNames = Object.keys(settingsSections) as SettingsSection[];

export const SettingsImportOutcome = Exact(
  {
    dry_run: Type.Boolean(),
    changes: Type.Array(
      Exact({ section: Type.Enum(sectionNames), field: Type.String(), from: Type.Unknown(), to: Type.Unknown() }),
      { description: 'Fields whose value becomes another; secrets read as a mask' },
    ),
    settings: Settings,
  },
  { title: 'SettingsImportOutcome' },
);
export type SettingsImportOutcome = Static<typeof SettingsImportOutcome>;

export const getSettings = routes.define({
  method: 'GET',
  path: '/system/settings',
  role: 'viewer',
  summary: 'Show the settings; secrets read as a mask',
  parts: { response: Settings },
});

export const updateSettings = routes.define({
  method: 'PUT',
  path: '/system/settings',
  role: 'admin',
  summary: 'Change the given settings, all or none; a mask in place of a secret keeps it',
  parts: { body: SettingsChange, response: Settings },
  errors: ['target_refused'],
  audit: 'settings.updated',
});

export const getSettingsSchema = routes.define({
  method: 'GET',
  path: '/system/settings/schema',
  role: 'viewer',
  summary: 'Describe every setting: its rules, its default, whether it applies live',
  parts: { response: SettingsSchema },
});

export const getEffectiveSettings = routes.define({
  method: 'GET',
  path: '/system/settings/effective',
  role: 'viewer',
  summary: 'Show what is in force: the settings and the options of the environment, without secrets',
  parts: { response: EffectiveSettings },
});

export const resetSettings = routes.define({
  method: 'POST',
  path: '/system/settings/reset',
  role: 'admin',
  summary: 'Reset one section of the settings, or all of them, to the defaults; their secrets are deleted',
  parts: {
    body: Exact({ section: Type.Enum([...sectionNames, 'all']) }),
    response: Settings,
  },
  audit: 'settings.updated',
});

export const exportSettings = routes.define({
  method: 'GET',
  path: '/system/settings/export',
  role: 'admin',
  summary: 'Export all settings in the form that the import reads; secrets are masked',
  parts: { response: SettingsExport },
});

export const importSettings = routes.define({
  method: 'POST',
  path: '/system/settings/import',
  role: 'admin',
  summary: 'Import exported settings, all or none of them; a mask keeps the stored secret',
  parts: {
    query: Exact({ dry_run: Type.Boolean({ default: false, description: 'Only tell what would change' }) }),
    body: SettingsExport,
    response: SettingsImportOutcome,
  },
  errors: ['target_refused'],
  audit: 'settings.updated',
});
