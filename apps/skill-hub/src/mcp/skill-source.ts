import type { Skill, SkillSource } from '@modelcontextprotocol/server/ext/skills';
import type { Database } from '@portcullis/platform/database/database';
import type { SkillCaller, SkillHub } from '../skill-hub.ts';
import { findServedSkill, listServedSkills, type ServedSkill } from './served-skill-queries.ts';
import { manifestName, parseSkillUri, renderSkillUri } from './skill-uri.ts';

/** Makes the entry of a skill: its frontmatter, and the files with their digests. */
type MakeEntry = (name: string, files: Record<string, string>) => Promise<Skill>;

interface SourceParts {
  readonly database: Database;
  readonly hub: Pick<SkillHub, 'readFile'>;
  readonly makeEntry: MakeEntry;
  /** Who asks, for downloads that are taken down. */
  readonly caller: () => Promise<SkillCaller>;
}

const pageSize = 50;
const manifestType = 'text/markdown';

/**
 * Approved skills for the skills extension of MCP. Digests are of what was approved; a file of a package is read
 * alone, from a package that is verified and approved at this moment, and is taken down as a download.
 */
export const createSkillSource = ({ database, hub, makeEntry, caller }: SourceParts): SkillSource => ({
  async list({ cursor = '' }) {
    const rows = await listServedSkills(database, cursor, pageSize + 1);
    const page = rows.slice(0, pageSize);
    const entries = await Promise.all(page.map((skill) => renderEntry(skill, makeEntry)));
    return {
      skills: entries.filter((entry) => entry !== undefined),
      ...(rows.length > pageSize && { nextCursor: page.at(-1)?.name ?? '' }),
    };
  },

  async get(uri) {
    const file = parseSkillUri(uri);
    if (file?.path !== manifestName) return undefined;
    const skill = await findServedSkill(database, file.skill);
    return skill && renderEntry(skill, makeEntry);
  },

  // For clients that do not know the extension.
  async listResources() {
    const rows = await listServedSkills(database, '', pageSize);
    const entries = await Promise.all(rows.map((skill) => renderEntry(skill, makeEntry)));
    return entries
      .filter((entry) => entry !== undefined)
      .map(({ uri, frontmatter: { name, description } }) => ({ uri, name, description, mimeType: manifestType }));
  },

  async read(uri) {
    const file = parseSkillUri(uri);
    const skill = file && (await findServedSkill(database, file.skill));
    if (file === undefined || skill === undefined) return undefined;
    if (skill.files === null) {
      return file.path === manifestName ? { text: skill.source, mimeType: manifestType } : undefined;
    }
    const bytes = await readPackaged(skill, file.path, hub, await caller());
    return bytes && asContent(bytes, file.path === manifestName ? manifestType : undefined);
  },
});

/** Undefined for a skill whose SKILL.md is not of the form that the extension asks for. */
async function renderEntry(skill: ServedSkill, makeEntry: MakeEntry): Promise<Skill | undefined> {
  const entry = await makeEntry(skill.name, { [manifestName]: skill.source }).catch(() => undefined);
  const root = rootOf(skill);
  if (entry === undefined || skill.files === null || root === undefined) return entry;
  const resources = skill.files
    .filter(({ path }) => path.startsWith(root))
    .map(({ path, size, sha256 }) => ({
      uri: renderSkillUri({ skill: skill.name, path: path.slice(root.length) }),
      digest: `sha256:${sha256}`,
      size,
    }));
  return { ...entry, resources };
}

/** The folder of the approved SKILL.md in its package, with a slash at its end; empty for the top. */
function rootOf({ files, content_hash: hash }: ServedSkill): string | undefined {
  const manifest = files?.find(({ path, sha256 }) => sha256 === hash && path.split('/').at(-1) === manifestName);
  return manifest?.path.slice(0, -manifestName.length);
}

async function readPackaged(
  skill: ServedSkill,
  path: string,
  hub: SourceParts['hub'],
  caller: SkillCaller,
): Promise<Uint8Array | undefined> {
  const root = rootOf(skill);
  if (root === undefined || skill.files?.every((file) => file.path !== root + path) !== false) return undefined;
  return hub.readFile(caller, { name: skill.name, version: skill.version, path: root + path });
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function asContent(bytes: Uint8Array, mimeType: string | undefined) {
  try {
    return { text: utf8.decode(bytes), ...(mimeType !== undefined && { mimeType }) };
  } catch {
    return { bytes };
  }
}
