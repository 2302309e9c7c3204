import type { PolicyPattern, PolicyRule } from '@portcullis/contracts/policy-file';

/* Credentials of further vendors, and those that only their surroundings give away. */

/** Rows by id. */
const secrets = (
  rows: Readonly<Record<string, readonly [name: string, ...patterns: readonly PolicyPattern[]]>>,
): readonly PolicyRule[] =>
  Object.entries(rows).map(([id, [name, ...patterns]]) => ({
    id,
    name,
    severity: 'Critical',
    enabled: true,
    action: 'block',
    category: 'Content Security',
    patterns,
  }));
const anyCase = (regex: string): PolicyPattern => ({ regex, flags: 'i' });
const start = '(?<![A-Za-z0-9])';
const end = '(?![A-Za-z0-9])';
/** A value behind a name, as assignments of all languages write it. */
const is = '["\'`]?\\s{0,3}(?:=>|:=|[:=])\\s{0,3}["\'`]?';
const hex = (length: number): string => `[0-9a-f]{${length}}`;
const uuid = `${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`;
/** Not what documentation writes in the place of a password. */
export const real =
  '(?!(?:your|my|the|some|example|sample|test|dummy|fake|changeme|password|passwd|secret|token|placeholder|redacted|null|none|undefined|true|false|string|x{3}|\\*{3}|\\.{3})[\\w-]{0,20}(?:["\'\\s;,)]|$)|[$<{%\\[(])';
const mixed = (least: number, most: number): string =>
  `(?=[^\\s"']{0,40}\\d)(?=[^\\s"']{0,40}[a-zA-Z])[^\\s"'<>{}$();,]{${least},${most}}`;

export const vendorSecretRules = secrets({
  'adobe-key': ['Adobe client secret', `${start}p8e-[A-Za-z0-9_-]{32}${end}`],
  'airtable-token': ['Airtable token', `${start}pat[A-Za-z0-9]{14}\\.[a-f0-9]{64}\\b`],
  'alibaba-key': ['Alibaba Cloud access key', `${start}LTAI[A-Za-z0-9]{12,20}${end}`],
  'amazon-mws-token': ['Amazon MWS token', `${start}amzn\\.mws\\.${uuid}`],
  'artifactory-key': ['Artifactory key', `${start}AKCp[A-Za-z0-9]{60,75}${end}`, `${start}cmVmd[A-Za-z0-9]{59}${end}`],
  'asana-token': ['Asana token', anyCase(`\\basana[a-z_ .-]{0,20}${is}[0-9]/[0-9]{16}(?:/[0-9]{16})?:[a-z0-9]{32}\\b`)],
  'azure-devops-token': [
    'Azure DevOps token',
    `${start}[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{18}A[A-Z]{3}[A-Za-z0-9]{4}${end}`,
    anyCase(`\\b(?:azure_?devops|vsts|ado)[a-z_ .-]{0,20}(?:pat|token)${is}[a-z2-7]{52}\\b`),
  ],
  'azure-client-secret': [
    'Azure client secret',
    `(?<=[A-Za-z0-9_~.-]{3})(?:0Q~|1Q~|2Q~|3Q~|4Q~|5Q~|6Q~|7Q~|8Q~|9Q~)[A-Za-z0-9_~.-]{31,34}`,
  ],
  'bitbucket-password': [
    'Bitbucket app password',
    `${start}ATBB[A-Za-z0-9]{32}${end}`,
    `${start}ATCTT3xFf[A-Za-z0-9_=-]{100,250}`,
  ],
  'cerebras-or-together-key': [
    'Key of a model host',
    `${start}csk-[a-z0-9]{48}${end}`,
    `${start}tgp_v1_[A-Za-z0-9_-]{40,50}`,
    `${start}fw_[A-Za-z0-9]{22,26}${end}`,
    `${start}nvapi-[A-Za-z0-9_-]{60,70}`,
  ],
  'clojars-token': ['Clojars token', `${start}CLOJARS_[a-z0-9]{60}\\b`],
  'codeclimate-id': ['Code Climate reporter id', anyCase(`\\bcc_test_reporter_id${is}${hex(64)}\\b`)],
  'contentful-token': ['Contentful token', `${start}CFPAT-[A-Za-z0-9_-]{43}`],
  'datadog-key': [
    'Datadog key',
    anyCase(`\\b(?:dd|datadog)_?(?:api|app|application)_?key${is}(?:${hex(40)}|${hex(32)})\\b`),
  ],
  'discord-bot-token': [
    'Discord bot token',
    anyCase(
      `\\bdiscord[a-z_ .-]{0,24}(?:token|secret)${is}[MNO][A-Za-z0-9_-]{23,27}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,40}`,
    ),
  ],
  'dropbox-token': ['Dropbox token', `${start}sl\\.(?:u\\.)?[A-Za-z0-9_-]{130,1000}`],
  'dynatrace-token': ['Dynatrace token', `${start}dt0[a-z]01\\.[A-Z2-7]{24}\\.[A-Z2-7]{64}\\b`],
  'easypost-key': ['EasyPost key', `${start}EZ[AT]K[A-Za-z0-9]{54}${end}`],
  'facebook-token': ['Facebook token', `${start}EAAC[A-Za-z0-9]{80,300}`, `${start}EAA[A-Z][A-Za-z0-9]{100,300}`],
  'flutterwave-key': ['Flutterwave key', `${start}FLWSECK(?:_TEST)?-[a-h0-9]{12,32}(?:-X)?`],
  'frameio-token': ['Frame.io token', `${start}fio-u-[A-Za-z0-9_=-]{64}`],
  'gitea-or-sourcegraph-token': [
    'Token of a forge',
    `${start}sgp_(?:[a-f0-9]{16}_)?[a-f0-9]{40}\\b`,
    `${start}slk_[a-f0-9]{64}\\b`,
  ],
  'google-oauth-refresh-token': ['Google refresh token', `${start}1//0[A-Za-z0-9_-]{40,120}`],
  'heroku-key': [
    'Heroku key',
    `${start}HRKU-[A-Za-z0-9_-]{36,62}`,
    anyCase(`\\bheroku[a-z_ .-]{0,20}(?:key|token|secret)${is}${uuid}`),
  ],
  'hubspot-token': ['HubSpot token', `${start}pat-(?:na|eu|ap)\\d-${uuid}`],
  'intercom-or-zendesk-token': [
    'Token of a help desk',
    anyCase(`\\b(?:intercom|zendesk|freshdesk)[a-z_ .-]{0,20}(?:key|token|secret)${is}${real}[a-z0-9=_-]{40,60}\\b`),
  ],
  'jenkins-token': [
    'Jenkins token',
    anyCase(`\\bjenkins[a-z_ .-]{0,20}(?:token|crumb)${is}(?:${hex(32)}(?:${hex(2)})?|${hex(64)})\\b`),
  ],
  'kubernetes-bootstrap-token': [
    'Token that joins a cluster',
    `(?<=\\bkubeadm join [\\w.:-]{4,60} )--token[ =][a-z0-9]{6}\\.[a-z0-9]{16}\\b`,
    anyCase(`\\bbootstrap-?token[a-z-]{0,12}${is}[a-z0-9]{6}\\.[a-z0-9]{16}\\b`),
  ],
  'launchdarkly-key': ['LaunchDarkly key', `${start}(?:api|sdk|mob)-${uuid}\\b`],
  'mapbox-token': ['Mapbox secret token', `${start}sk\\.eyJ[A-Za-z0-9_-]{60,120}\\.[A-Za-z0-9_-]{20,30}`],
  'netlify-token': [
    'Netlify token',
    `${start}nfp_[A-Za-z0-9]{36}${end}`,
    anyCase(`\\bnetlify[a-z_ .-]{0,20}(?:key|token)${is}[a-z0-9_-]{43}${end}`),
  ],
  'netrc-login': [
    'Login in a netrc file',
    anyCase(`\\bmachine\\s{1,4}[\\w.-]{3,80}\\s{1,4}login\\s{1,4}\\S{1,60}\\s{1,4}password\\s{1,4}${real}\\S{5,80}`),
  ],
  'new-relic-key': [
    'New Relic key',
    `${start}NRI[IQ]-[A-Za-z0-9_-]{32}`,
    anyCase(`\\bnew_?relic[a-z_ .-]{0,24}key${is}[a-f0-9]{36}NRAL\\b`),
  ],
  'nuget-or-hex-key': [
    'Key of a package index',
    anyCase(
      `\\b(?:nuget|hex|maven|sonatype|ossrh)[a-z_ .-]{0,20}(?:api_?key|token|password)${is}${real}${mixed(20, 80)}`,
    ),
  ],
  'okta-token': [
    'Okta token',
    anyCase(`(?:\\bokta[a-z_ .-]{0,20}(?:key|token|secret)${is}|\\bssws\\s{1,3})00[a-z0-9_-]{39,40}(?![a-z0-9_-])`),
  ],
  'pagerduty-or-opsgenie-key': [
    'Key of an on-call service',
    anyCase(`\\b(?:pagerduty|pager_duty|opsgenie)[a-z_ .-]{0,20}(?:key|token)${is}(?:[a-z0-9+_-]{20}|${uuid})${end}`),
  ],
  'planetscale-secret': ['PlanetScale secret', `${start}pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_=.-]{32,64}`],
  'posthog-key': ['PostHog personal key', `${start}phx_[A-Za-z0-9]{40,48}${end}`],
  'pulumi-or-prefect-token': [
    'Token of a deployment service',
    `${start}pul-[a-f0-9]{40}\\b`,
    `${start}pn[ua]_[A-Za-z0-9]{36}${end}`,
    `${start}fo1_[A-Za-z0-9_-]{43}`,
    `${start}FlyV1 fm[12]_[A-Za-z0-9+/=_-]{80,600}`,
  ],
  'readme-or-scalingo-token': [
    'Token of a hosting service',
    `${start}rdme_[a-z0-9]{70}\\b`,
    `${start}tk-us-[A-Za-z0-9_-]{48}`,
    `${start}rnd_[A-Za-z0-9]{28,32}${end}`,
  ],
  'salesforce-token': ['Salesforce session', `${start}00D[A-Za-z0-9]{12,15}![A-Za-z0-9_.]{80,120}`],
  'sonarqube-token': [
    'SonarQube token',
    `${start}sq[pua]_[a-f0-9]{40}\\b`,
    anyCase(`\\bsonar[a-z_ .-]{0,20}(?:login|token)${is}${hex(40)}\\b`),
  ],
  'square-or-mollie-key': [
    'Key of a checkout',
    `${start}EAAA[A-Za-z0-9+=_-]{60}${end}`,
    `${start}live_[A-Za-z0-9]{30}${end}`,
  ],
  'snyk-or-semgrep-token': [
    'Token of a code scanner',
    anyCase(`\\b(?:snyk|semgrep|codecov|coveralls)[a-z_ .-]{0,20}token${is}(?:${uuid}|${hex(64)}|${hex(32)})\\b`),
  ],
  'supabase-key': [
    'Supabase key',
    `${start}sb[ps]_[a-z0-9_]{0,10}[A-Za-z0-9_-]{36,50}`,
    `${start}sb_secret_[A-Za-z0-9_-]{31,42}`,
  ],
  'search-api-key': [
    'Key of a search service',
    `${start}tvly-[A-Za-z0-9_-]{28,40}`,
    `${start}fc-${hex(32)}\\b`,
    `${start}BSA[A-Za-z0-9_-]{27,29}${end}`,
  ],
  'twitter-token': ['Twitter bearer token', `${start}A{22}[A-Za-z0-9%]{80,100}`],
  'typeform-or-airbrake-token': ['Token of a form service', `${start}tfp_[A-Za-z0-9_.=-]{40,59}`],
  'vault-unseal-key': ['Key that opens a vault', anyCase(`\\bunseal key(?: \\d)?${is}[a-z0-9+/]{43,44}=?`)],
  'volcengine-or-tencent-key': [
    'Key of a Chinese cloud',
    `${start}AKID[A-Za-z0-9]{32}${end}`,
    `${start}AKLT[A-Za-z0-9+=_-]{40,80}`,
  ],
  'wireguard-key': [
    'WireGuard private key',
    `\\bPrivateKey\\s{0,3}=\\s{0,3}[A-Za-z0-9+/]{43}=`,
    `\\bPresharedKey\\s{0,3}=\\s{0,3}[A-Za-z0-9+/]{43}=`,
  ],
  'ethereum-private-key': [
    'Private key of a wallet',
    anyCase(`\\b(?:private|priv|wallet|deployer|signer|eth|secp256k1)[a-z_ ]{0,16}key${is}(?:0x)?${hex(64)}\\b`),
    anyCase(`\\b(?:mnemonic|seed phrase|recovery phrase|seed)${is}(?:[a-z]{3,8} ){11}[a-z]{3,8}\\b`),
  ],
  'docker-config-auth': [
    'Login in a Docker configuration',
    `"auths?"\\s{0,3}:\\s{0,3}\\{[^}\\n]{0,120}\\{?\\s{0,6}"auth"\\s{0,3}:\\s{0,3}"[A-Za-z0-9+/]{12,200}={0,2}"`,
    `"auth"\\s{0,3}:\\s{0,3}"[A-Za-z0-9+/]{16,200}={1,2}"`,
  ],
  'django-secret-key': [
    'Secret key of a web framework',
    `\\bSECRET_KEY(?:_BASE)?\\s{0,3}[=:]\\s{0,3}["']${real}(?=[^"'\\n]{0,60}\\d)[^"'\\n<>{}$]{32,140}["']`,
    `\\bAPP_KEY\\s{0,3}=\\s{0,3}base64:[A-Za-z0-9+/]{43}=`,
  ],
  'user-and-password': [
    'User name with its password',
    anyCase(
      `\\b(?:user(?:name)?|login|uid|account)${is}[\\w.@+-]{2,60}["'\`]?[\\s,;|&]{1,4}["'\`]?(?:pass(?:word|wd|phrase)?|pwd)${is}${real}${mixed(6, 60)}`,
    ),
  ],
  'windows-remote-password': [
    'Password in a remote command of Windows',
    anyCase(`\\bpsexec(?:\\.exe|64)?\\s[^\\n]{0,80}\\s-p\\s{1,3}${real}[^\\s"'<>{}$]{6,60}`),
    anyCase(`\\bconnect-viserver\\s[^\\n]{0,120}-pass(?:word)?\\s{1,3}["']?${real}[^\\s"'<>{}$]{6,60}`),
    anyCase(
      `\\bconvertto-securestring\\s{1,3}(?:-string\\s{1,3})?["']${real}[^\\s"'<>{}$]{6,60}["']\\s[^\\n]{0,40}-asplaintext\\b`,
    ),
  ],
  'legacy-password-hash': [
    'Hash of a password in an older form',
    '\\$(?:1|5|apr1)\\$[./A-Za-z0-9]{1,16}\\$[./A-Za-z0-9]{22,43}(?![./A-Za-z0-9])',
    '\\$(?:P|H)\\$[./A-Za-z0-9]{31}(?![./A-Za-z0-9])',
    `\\$krb5(?:tgs|asrep)\\$\\d{1,2}\\$[^\\s]{20,200}`,
    `(?<=:\\d{3,6}:)[a-fA-F0-9]{32}:[a-fA-F0-9]{32}:::`,
    anyCase('\\bpbkdf2_sha(?:1|256|512)\\$\\d{3,7}\\$[a-z0-9]{6,40}\\$[a-z0-9+/]{27,88}={0,2}'),
  ],
  'cloud-account-pair': [
    'Key id and key of a cloud account side by side',
    `${start}A(?:K|S)IA[A-Z0-9]{16}["']?[\\s,:;|]{1,12}["']?[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+])`,
  ],
  'azure-connection-string': [
    'Connection string of an Azure service',
    `\\bDefaultEndpointsProtocol=https?;AccountName=[a-z0-9]{3,24};AccountKey=[A-Za-z0-9+/]{40,90}={0,2}`,
    `\\bEndpoint=sb://[\\w.-]{4,80}/?;SharedAccessKeyName=\\w{1,40};SharedAccessKey=[A-Za-z0-9+/]{40,60}=`,
    `\\bInstrumentationKey=${uuid}`,
  ],
  'jdbc-password': [
    'Database address of Java with a password',
    anyCase(`\\bjdbc:[a-z0-9:]{3,30}//[^\\s"']{3,120}[?&;]password=${real}[^\\s"'&;<>{}$]{4,60}`),
    anyCase(`\\bjdbc:oracle:thin:[\\w-]{1,40}/${real}[^\\s@"'/]{4,60}@`),
  ],
  'ci-variable-token': [
    'Token in a build’s variables',
    anyCase(
      `(?<=[a-z0-9])_(?:token|secret|apikey|api_key|access_key|private_key|auth|pat)\\s?=\\s?["']?${real}(?![a-z0-9/+]{30}examplekey)(?=[a-z_/+=-]{0,40}\\d)(?=[0-9_/+=-]{0,20}[a-z])[a-z0-9_/+=-]{24,120}(?![\\w.(])`,
    ),
  ],
});
