import { isOfManyTenants, type OAuthProvider } from './oauth-provider.ts';

/** Who a provider says its user is. */
export interface ProviderIdentity {
  /** Of whom the subject is known: two issuers may have the same subject for two users. */
  readonly issuer: string;
  /** Names the user at the issuer, for good. */
  readonly subject: string;
  /** As the provider has it, verified or not; undefined where it tells none. */
  readonly email: string | undefined;
  /** Whether the provider answers for the address being the user's own. */
  readonly emailVerified: boolean;
  /** For people; undefined where it tells none. */
  readonly name: string | undefined;
}

type Claims = Readonly<Record<string, unknown>>;

/** Reads who the user is from the claims of an id token, or from what the endpoint for users answers. */
export function readIdentity(
  provider: OAuthProvider,
  issuer: string,
  subject: string,
  claims: Claims,
): ProviderIdentity {
  const email = textOf(claims['email']) ?? (trustsWord(provider) ? textOf(claims['preferred_username']) : undefined);
  return {
    issuer,
    subject,
    email,
    emailVerified: email !== undefined && (isVerified(provider, claims) || trustsWord(provider)),
    name: textOf(claims['name']) ?? textOf(claims['preferred_username']) ?? textOf(claims['login']),
  };
}

/** Where tenants are many, each of them could call anything an address. */
const trustsWord = ({ trustsEmail, addresses }: OAuthProvider): boolean =>
  trustsEmail && !(addresses.kind === 'issuer' && isOfManyTenants(addresses.issuer));

/** Entra says in a claim of its own whether the owner of the domain has been verified. */
const isVerified = ({ type }: OAuthProvider, { email_verified: verified, xms_edov: domain }: Claims): boolean =>
  verified === true || (type === 'azure_ad' && [true, 1, '1', 'true'].some((yes) => yes === domain));

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** The subject of an answer of plain OAuth 2, which has no claims: `sub`, or the `id` of the user. */
export function subjectOf({ sub, id }: Claims): string | undefined {
  const subject = sub ?? id;
  return typeof subject === 'number' ? String(subject) : textOf(subject);
}

/** The primary address among those that GitHub lists. */
export function githubEmailOf(addresses: unknown): Claims {
  if (!Array.isArray(addresses)) throw new Error('The provider did not list the addresses of the user');
  const primary: unknown = addresses.find((one: unknown) => Reflect.get(Object(one), 'primary') === true);
  const { email, verified }: Claims = Object(primary);
  return { email, email_verified: verified };
}
