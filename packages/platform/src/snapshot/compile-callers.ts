import type { PersistentMap } from '@portcullis/core/collections/persistent-map';
import { createNameScope } from '@portcullis/core/identity/name-scope';
import { finish } from '@portcullis/core/collections/finish-steps';
import { runTimeSliced } from '../event-loop/run-time-sliced.ts';
import type { KeyEntry } from '../traffic/traffic-exchange.ts';
import type { CallerTables, GroupRow, KeyRow } from './caller-sources.ts';
import { EntryIndex } from './entry-index.ts';

/** Who may call, as the stages of `platform/traffic` look it up. */
export interface CallerEntries<GroupEntry> {
  readonly keysByHash: PersistentMap<string, KeyEntry>;
  readonly groups: PersistentMap<number, GroupEntry>;
  /** Those that a client certificate stands for, by its subject. */
  readonly groupsBySubject: PersistentMap<string, GroupEntry>;
}

/** Compiles keys and groups, of which a change compiles only what it touched. */
export interface CallerCompiler<Group extends GroupRow, GroupEntry> {
  /** Does what takes long of the same `compile`, in slices that requests under way do not feel. */
  prepare(rows: CallerTables<Group>): Promise<void>;
  compile(rows: CallerTables<Group>): CallerEntries<GroupEntry>;
}

/** @param compileGroup what a data plane wants to know of a group */
export function createCallerCompiler<Group extends GroupRow, GroupEntry>(
  compileGroup: (row: Group) => GroupEntry,
): CallerCompiler<Group, GroupEntry> {
  const keys = new EntryIndex(({ key_hash: hash }: KeyRow) => hash, compileKey);
  const groups = new EntryIndex(({ id }: Group) => id, compileGroup);
  const groupsBySubject = new EntryIndex<Group, string, GroupEntry>(subjectOf, compileGroup);

  return {
    async prepare(rows) {
      await runTimeSliced(keys.follow(rows.keys));
      await runTimeSliced(groups.follow(rows.groups));
      await runTimeSliced(groupsBySubject.follow(rows.groups));
    },
    compile: (rows) => ({
      keysByHash: finish(keys.follow(rows.keys)),
      groups: finish(groups.follow(rows.groups)),
      groupsBySubject: finish(groupsBySubject.follow(rows.groups)),
    }),
  };
}

/** Those without one stand under what is no subject. */
const subjectOf = ({ id, client_certificate_subject: subject }: GroupRow): string => subject ?? `${id}`;

const compileKey = (row: KeyRow): KeyEntry => ({
  id: row.id,
  name: row.name,
  groupId: row.user_group_id,
  active: row.active,
  expiresAtMs: row.expires_at_ms ?? Number.POSITIVE_INFINITY,
  rotatedTo: row.rotated_to ?? undefined,
  ownerId: row.owner_id ?? undefined,
  models: createNameScope(row.allowed_models),
  tools: createNameScope(row.allowed_tools),
  agents: createNameScope(row.allowed_agents),
});
