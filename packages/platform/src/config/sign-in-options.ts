import { list, secret, webUrl, optionalText, type DefaultedOption, type Option } from './option-table.ts';
import type { Secret } from './secret.ts';

/** Providers that verify users, with the issuer of those that have one for all. */
export const signInProviders = {
  google: 'https://accounts.google.com',
  github: 'https://github.com',
  gitlab: 'https://gitlab.com',
  azure_ad: undefined,
  okta: undefined,
  auth0: undefined,
  keycloak: undefined,
  oidc: undefined,
} as const satisfies Readonly<Record<string, string | undefined>>;

export type SignInProviderName = keyof typeof signInProviders;

export const signInProviderNames = Object.keys(signInProviders) as readonly SignInProviderName[];

type Key<
  Field extends string,
  Name extends SignInProviderName = SignInProviderName,
> = `OAUTH_${Uppercase<Name>}_${Field}`;

/** The variables of one provider. */
export const signInKeys = (name: SignInProviderName) => {
  const prefix = `OAUTH_${name.toUpperCase() as Uppercase<SignInProviderName>}` as const;
  return { id: `${prefix}_CLIENT_ID`, secret: `${prefix}_CLIENT_SECRET`, issuer: `${prefix}_ISSUER` } as const;
};

type SignInOptions = Readonly<
  Record<Key<'CLIENT_ID' | 'ISSUER'>, Option<string>> & Record<Key<'CLIENT_SECRET'>, Option<Secret>>
>;

const optionsOf = (name: SignInProviderName) => {
  const keys = signInKeys(name);
  return {
    [keys.id]: optionalText(`Client id of this gateway at the sign-in provider ${name}. Offers that sign-in.`),
    [keys.secret]: secret(`Client secret that goes with ${keys.id}.`, 'text', () => true),
    [keys.issuer]: webUrl(`${issuerMeaning(name)} of the sign-in provider ${name}.`, signInProviders[name]),
  };
};

const issuerMeaning = (name: SignInProviderName): string => (name === 'github' ? 'Address' : 'OpenID Connect issuer');

/** The variables of every provider. */
export const signInOptions = Object.assign({}, ...signInProviderNames.map(optionsOf)) as SignInOptions;

/** Some of the providers. */
export const signInNames = (description: string): DefaultedOption<readonly SignInProviderName[]> => ({
  description,
  type: `list of ${signInProviderNames.join(', ')}`,
  default: '',
  parse: (value) => list(description, '').parse(value).map(parseNameOrThrow),
});

function parseNameOrThrow(name: string): SignInProviderName {
  const known = signInProviderNames.find((one) => one === name);
  if (known === undefined) throw new Error(`must name ${signInProviderNames.join(', ')}, got ${JSON.stringify(name)}`);
  return known;
}

interface SignInRequirement {
  readonly names: readonly (keyof SignInOptions | 'OAUTH_REDIRECT_BASE_URL')[];
  readonly when: string;
}

/** What a provider of which something is given needs beside it. */
export const signInRequirements = (isGiven: (name: string) => boolean): readonly SignInRequirement[] =>
  signInProviderNames.flatMap((name) => {
    const keys = signInKeys(name);
    const given = [keys.id, keys.secret].find(isGiven);
    if (given === undefined) return [];
    const issuer = signInProviders[name] === undefined ? [keys.issuer] : [];
    return [{ names: [keys.id, keys.secret, ...issuer, 'OAUTH_REDIRECT_BASE_URL'], when: `${given} is set` }];
  });
