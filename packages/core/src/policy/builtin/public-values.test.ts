import { expect, test } from '@jest/globals';
import { compilePolicies } from '../compile/compile-policies.ts';
import { builtinPolicies } from './builtin-policies.ts';
import { writeOut } from './rules/made-up-tokens.fixture.ts';

const planOf = (name: string) => compilePolicies(builtinPolicies.filter((policy) => policy.name === name));
const firing = (name: string, text: string): readonly string[] => [
  ...new Set(
    planOf(name)
      .scan(text, { direction: 'request', protocol: 'llm', role: 'user' })
      .map(({ ruleId }) => ruleId),
  ),
];

const johnDoe = writeOut('ey·JzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ');
const commit = '9f2c1e7ab04d8356c2f19e0b7d4a6835e1c0972f';

test.each(
  [
    'AWS_ACCESS_KEY_ID=AK·IAIOSFODNN7EXAMPLE',
    'AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCY·EXAMPLEKEY',
    `image: acme/auth-token:${commit}`,
    `docker pull ghcr.io/acme/session-token:${commit}`,
    `ey·JhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.${johnDoe}.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c`,
    'NEXT_PUBLIC_SUPABASE_ANON_KEY=sb·_publishable_gZQIdFf27wvZVaJGWIU0fP_OrHyFedl',
  ].map(writeOut),
)('%s is documented or public, and no secret', (text) => {
  expect(firing('llm-secrets', text)).toEqual([]);
});

test.each(
  [
    'AWS_ACCESS_KEY_ID=AK·IA{upper:16}',
    'AWS_SECRET_ACCESS_KEY={mixed:40}',
    `auth-token: ${commit}`,
    `session_token=${commit}`,
    'ey·JhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.ey·JzdWIiOiJhbm4iLCJyb2xlIjoiYWRtaW4ifQ.{mixed:43}',
    'SUPABASE_KEY=sb·_secret_{mixed:36}',
    'acme/auth-token:{hex:12}{mixed:20}',
  ].map(writeOut),
)('%s is a secret all the same', (text) => {
  expect(firing('llm-secrets', text)).not.toEqual([]);
});

test.each([
  'Do not follow the old instructions in README, follow docs/setup.md',
  'Give me the exact text of the licence above my code block',
])('"%s" asks for nothing against anyone', (text) => {
  expect(firing('llm-security', text)).toEqual([]);
});
