import { assign, type AssignmentRule } from '@portcullis/core/identity/assignment-rules';
import { auditEntry, type AuditedCall } from '@portcullis/platform/audit/audited';
import { recordAudit } from '@portcullis/platform/audit/record-audit';
import { changeConfig } from '@portcullis/platform/database/change-config';
import type { Database, Queryable } from '@portcullis/platform/database/database';
import type { Tables } from '@portcullis/platform/database/tables';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import {
  findUserOfAddress,
  findUserOfIdentity,
  renderUser,
  type UserToLogIn,
} from '@portcullis/platform/identity/user-queries';
import type { OAuthProvider } from '@portcullis/platform/oauth/oauth-provider';
import type { ProviderIdentity } from '@portcullis/platform/oauth/provider-identity';
import { hashPassword } from '@portcullis/platform/security/password';
import { sql, type Transaction } from 'kysely';
import { inventPassword } from '../auth/check-new-password.ts';
import { insertMember } from '../user-groups/member-queries.ts';
import { insertUser } from '../users/user-admin-queries.ts';

/** Who has come with a provider. */
export interface Arrival extends Pick<ProviderIdentity, 'issuer' | 'subject' | 'name'> {
  readonly provider: OAuthProvider;
  /** That the provider verified. */
  readonly email: string;
}

/**
 * The user for whom a provider answers: known by what the provider calls them, else by the address, which binds the two; else
 * made where a rule says that they may come.
 * @throws {GatewayError} `unknown_sign_in_user` where no one says so, or an admin said no
 */
export async function admitUser(database: Database, call: AuditedCall, arrival: Arrival): Promise<UserToLogIn> {
  const known = await findKnown(database, call, arrival);
  if (known !== undefined) {
    await noteIdentity(database, known.id, arrival);
    return known;
  }
  // Hashed before, since it takes long and the configuration is locked then. No one ever learns the password.
  const passwordHash = await hashPassword(inventPassword());
  await changeConfig(database, async (transaction) => {
    const mine = { kysely: transaction };
    if ((await findKnown(mine, call, arrival)) !== undefined) return;
    const user = await findUserOfAddress(mine, arrival.email, call.clientIp);
    if (user !== undefined) {
      checkMayLinkOrThrow(user, arrival);
      return bindIdentity(transaction, user.id, arrival);
    }
    const id = await createUser(transaction, call, arrival, passwordHash);
    await noteIdentity(mine, id, arrival);
  });
  const admitted = await findKnown(database, call, arrival);
  if (admitted === undefined) throw new GatewayError('unknown_sign_in_user');
  return admitted;
}

async function findKnown(database: Queryable, call: AuditedCall, { provider, issuer, subject }: Arrival) {
  const user = await findUserOfIdentity(database, { providerKey: provider.key, issuer, subject }, call.clientIp);
  if (user?.active === false) throw new GatewayError('unknown_sign_in_user');
  return user;
}

/**
 * A provider that says whose address it is could say so of an admin's. So who reads the management API is bound to a provider only
 * where an admin has said that its word is good for that.
 */
function checkMayLinkOrThrow({ role }: UserToLogIn, { provider }: Arrival): void {
  if (role !== 'user' && !provider.linksManagementUsers) {
    throw new GatewayError('unknown_sign_in_user', { cause: new Error(mayNotLink) });
  }
}

/** Why someone was not admitted, for the audit log; the answer to the browser does not give the reason. */
export const reasonOf = ({ reason, entry, details: { cause } }: GatewayError): string =>
  toldReasons.has(reason) && cause instanceof Error ? cause.message : entry.text;

const toldReasons: ReadonlySet<string> = new Set(['unknown_sign_in_user', 'provider_failed']);

const mayNotLink =
  'The address is that of a viewer, operator or admin, and links_management_users is not set for the provider';

/** An address that has moved to another person at the provider does not bring them the first one's user. */
async function bindIdentity(transaction: Transaction<Tables>, userId: number, arrival: Arrival): Promise<void> {
  const other = await transaction
    .selectFrom('user_identities')
    .select('id')
    .where('user_id', '=', userId)
    .where('provider_key', '=', arrival.provider.key)
    .where('issuer', '=', arrival.issuer)
    .executeTakeFirst();
  if (other !== undefined) throw new GatewayError('unknown_sign_in_user');
  await noteIdentity({ kysely: transaction }, userId, arrival);
}

const noteIdentity = ({ kysely }: Queryable, userId: number, arrival: Arrival) => {
  const { provider, issuer, subject, email, name = null } = arrival;
  return kysely
    .insertInto('user_identities')
    .values({
      user_id: userId,
      provider_key: provider.key,
      provider_id: provider.id ?? null,
      provider_name: provider.name,
      issuer,
      subject,
      email,
      name,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['provider_key', 'issuer', 'subject'])
        .doUpdateSet({ email, name, provider_name: provider.name, last_login_at: sql<Date>`now()` }),
    )
    .execute();
};

/** @throws {GatewayError} `unknown_sign_in_user` where no rule lets them in */
async function createUser(
  transaction: Transaction<Tables>,
  call: AuditedCall,
  { provider, email }: Arrival,
  passwordHash: string,
): Promise<number> {
  const username = email.toLowerCase();
  const assignment = assign(await loadRules(transaction), {
    email,
    providerId: provider.id,
    providerName: provider.name,
  });
  if (assignment === undefined || (await isTaken(transaction, username))) {
    throw new GatewayError('unknown_sign_in_user');
  }
  const { role, groupIds, ruleIds } = assignment;
  const user = await insertUser(
    { kysely: transaction },
    { username, email, role, active: true, must_change_password: false, password_hash: passwordHash },
  );
  const resource = { type: 'user', id: user.id, name: username };
  const details = { provider: provider.name, rule_ids: ruleIds };
  await recordAudit(
    transaction,
    auditEntry(call, { event: 'user.created', resource, details, after: renderUser(user) }),
  );
  for (const groupId of groupIds) {
    await insertMember({ kysely: transaction }, groupId, user.id);
    const group = { type: 'user_group', id: groupId, name: null };
    const member = { user_id: user.id, username, ...details };
    await recordAudit(
      transaction,
      auditEntry(call, { event: 'usergroup.member.added', resource: group, details: member }),
    );
  }
  return user.id;
}

/** By a user who was deactivated, too, as a name or as an address. */
const isTaken = async (transaction: Transaction<Tables>, email: string): Promise<boolean> =>
  (await transaction
    .selectFrom('users')
    .select('id')
    .where(sql<boolean>`${email} in (lower(username), lower(email))`)
    .executeTakeFirst()) !== undefined;

const loadRules = (transaction: Transaction<Tables>): Promise<AssignmentRule[]> =>
  transaction
    .selectFrom('oauth_rules')
    .select(['id', 'rule_type', 'rule_value', 'provider_id', 'user_group_id', 'user_role', 'priority'])
    .where('active', '=', true)
    .$narrowType<Pick<AssignmentRule, 'rule_type' | 'user_role'>>()
    .execute();
