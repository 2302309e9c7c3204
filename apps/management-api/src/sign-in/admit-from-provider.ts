import type { AuditedCall } from '@portcullis/platform/audit/audited';
import type { Database } from '@portcullis/platform/database/database';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import type { UserToLogIn } from '@portcullis/platform/identity/user-queries';
import type { ProviderClient } from '@portcullis/platform/oauth/provider-client';
import { providerRefusal } from '@portcullis/platform/oauth/provider-refusal';
import type { Tokens } from '@portcullis/platform/oauth/tokens';
import { admitUser } from './admit-user.ts';

/** What the audit log is signInDetails of the user. */
export interface SignInDetails {
  readonly provider: string;
  /** That the provider verified. */
  email?: string;
}

/**
 * The user whose tokens a provider gave.
 * @param signInDetails takes down the address that the provider verified
 * @throws {GatewayError} `provider_failed`, `email_unverified`, `unknown_sign_in_user`
 */
export async function admitFromProvider(
  database: Database,
  call: AuditedCall,
  client: ProviderClient,
  tokens: Tokens,
  signInDetails: SignInDetails,
): Promise<UserToLogIn> {
  const { provider } = client;
  const identity = await client.identify(tokens).catch((error: unknown) => {
    throw providerRefusal(provider.name, error);
  });
  if (identity.email === undefined || !identity.emailVerified || !address.test(identity.email)) {
    throw new GatewayError('email_unverified');
  }
  signInDetails.email = identity.email;
  return admitUser(database, call, { ...identity, email: identity.email, provider });
}

/** As the API takes one of a user: what else a provider calls an address is in no log, and asked for nowhere. */
const address = /^(?=.{3,254}$)[^\s@\p{Cc}]{1,64}@[^\s@\p{Cc}]+$/u;
