import {
  AgentMonitoringSettings,
  GeneralSettings,
  McpServerSettings,
  RetentionSettings,
  SkillHubSettings,
  type Settings,
  type SettingsSection,
} from '@portcullis/contracts/settings';
import type { TSchema } from 'typebox';
import type { Database } from '../database/database.ts';
import { readSection } from './read-section.ts';

type Reader = Pick<Database, 'kysely'>;

/** A section without secrets, defaults filled in. @throws when the database is away or what is stored is not valid */
async function loadSection<Section extends SettingsSection>(
  { kysely }: Reader,
  section: Section,
  schema: TSchema,
): Promise<Settings[Section]> {
  const row = await kysely.selectFrom('settings').select('document').where('section', '=', section).executeTakeFirst();
  const stored = readSection(section, schema, row?.document);
  if (stored === undefined) throw new Error(`The stored settings ${section} are not valid`);
  return stored;
}

export const loadGeneralSettings = (reader: Reader) => loadSection(reader, 'general', GeneralSettings);
export const loadRetentionSettings = (reader: Reader) => loadSection(reader, 'retention', RetentionSettings);
export const loadAgentMonitoring = (reader: Reader) => loadSection(reader, 'agent_monitoring', AgentMonitoringSettings);
export const loadSkillHubSettings = (reader: Reader) => loadSection(reader, 'skill_hub', SkillHubSettings);
export const loadMcpServerSettings = (reader: Reader) => loadSection(reader, 'mcp_servers', McpServerSettings);
