import type { PolicyPattern, PolicyRule } from '@portcullis/contracts/policy-file';

/*
 * Secrets by their structure. A token's prefix starts the pattern, so that the automaton finds it and
 * a stream holds nothing back before it; every repetition has an upper bound. Where a name gives a
 * secret away instead of a prefix (`password = "…"`), the value must look random: it mixes letters
 * and digits, and is none of the words that stand for a secret in documentation.
 */

type Draft = Pick<PolicyRule, 'id' | 'name'> & { readonly severity?: PolicyRule['severity'] };

const secret = (draft: Draft, ...patterns: readonly PolicyPattern[]): PolicyRule => ({
  severity: 'Critical',
  enabled: true,
  action: 'block',
  category: 'Content Security',
  ...draft,
  patterns: [...patterns],
});
const anyCase = (regex: string): PolicyPattern => ({ regex, flags: 'i' });

/** Before a token: nothing that would make it the middle of a longer word. */
const start = '(?<![A-Za-z0-9])';

/** What documentation writes where a secret would stand: a word for it, or the start of a template. */
const placeholder = `(?!(?:${[
  '(?:your|my|the|some|any|an?|insert|enter|put|add|replace|change|fake|dummy|sample|example|test|demo|mock|default|base64)[a-z]{0,20}(?:[-_ .][a-z]{1,20}){0,4}(?![a-z0-9])',
  '(?:secret|password|passwd|passphrase|pass|pwd|token|api[-_]?key|key|user|username|admin|root|guest|postgres|mysql|mongodb|redis|null|none|undefined|true|false|redacted|removed|hidden|masked|placeholder|todo|changeme|foo|bar|foobar|string|value)(?![a-z0-9])',
  '(?:x{3}|\\*{3}|\\.{3}|-{3}|0{4}|abc123|12345)',
  '(?:process|os|env|config|settings|self|this|secrets?|vars?|data|args|options|req|request|response|params?)\\.',
  '(?:file|https?):',
  '[$<{%#\\[(]',
].join('|')}))`;

/** A value that mixes letters with at least two digits. */
const randomValue = (least: number, most: number): string =>
  `(?=[\\w+/=.~!@#^&*-]{0,40}\\d[\\w+/=.~!@#^&*-]{0,40}\\d)(?=[\\d+/=.~!@#^&*_-]{0,20}[a-z])[\\w+/=.~!@#^&*-]{${least},${most}}`;

/**
 * Whom the token on jwt.io is about, which documentation everywhere repeats: `{"sub":"1234567890","name":"John Doe"`. Digits are letters
 * in a reading that takes them for these.
 */
const johnDoe = 'eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIi'.replaceAll(/\d/g, '\\w');

/** An image whose name ends like that of a secret, and whose tag is a commit or a digest: `acme/auth-token:<sha>`. */
const imageTag = '(?!(?<=/[\\w.-]{0,24})[\\w.-]{1,40}:[0-9a-f]{40}(?:[0-9a-f]{24})?(?![0-9a-z]))';

const providers: readonly PolicyRule[] = [
  secret(
    { id: 'aws-access-key-id', name: 'AWS access key id' },
    `${start}(?:AKIA|ASIA|ABIA|ACCA)(?![A-Z0-9]{9}EXAMPLE)[A-Z0-9]{16}\\b`,
  ),
  secret(
    { id: 'aws-secret-access-key', name: 'AWS secret access key' },
    anyCase(
      `${start}aws_?(?:secret)?_?(?:access)?_?(?:secret|session|key)[a-z_]{0,20}["']?\\s{0,3}(?:[:=]|=>|:=)\\s{0,3}["']?(?![a-z0-9/+]{30}EXAMPLEKEY)[a-z0-9/+]{40}(?![a-z0-9/+])`,
    ),
  ),
  secret({ id: 'google-api-key', name: 'Google API key' }, `${start}AIza[0-9A-Za-z_-]{35}(?![0-9A-Za-z_-])`),
  secret(
    { id: 'google-oauth', name: 'Google OAuth secret or token' },
    `${start}GOCSPX-[A-Za-z0-9_-]{28}(?![A-Za-z0-9_-])`,
    `${start}ya29\\.[A-Za-z0-9_-]{24,400}`,
  ),
  secret(
    { id: 'google-service-account', name: 'Google service account key' },
    '"private_key_id"\\s{0,4}:\\s{0,4}"[a-f0-9]{40}"',
  ),
  secret(
    { id: 'azure-storage-key', name: 'Azure storage or service bus key' },
    `${start}(?:AccountKey|SharedAccessKey)=[A-Za-z0-9+/]{43,86}={1,2}`,
  ),
  secret(
    { id: 'azure-shared-access-signature', name: 'Azure shared access signature' },
    '[?&;]sig=[A-Za-z0-9%+/]{40,80}(?:%3D|=)',
  ),
  secret({ id: 'digitalocean-token', name: 'DigitalOcean token' }, `${start}do[opr]_v1_[a-f0-9]{64}\\b`),
  secret({ id: 'databricks-token', name: 'Databricks token' }, `${start}dapi(?:[a-f0-9]{32}|[A-F0-9]{32})(?:-\\d)?\\b`),
  secret(
    { id: 'hashicorp-token', name: 'HashiCorp Vault or Terraform token' },
    `${start}hv[sbr]\\.[A-Za-z0-9_-]{24,300}`,
    `(?<=\\b[A-Za-z0-9]{14})\\.atlasv1\\.[A-Za-z0-9_=-]{60,70}`,
  ),
  secret(
    { id: 'cloudflare-key', name: 'Cloudflare token or origin key' },
    `${start}v1\\.0-[a-f0-9]{24}-[a-f0-9]{146}\\b`,
    `${start}cf(?:at|ut|k|ast)_[A-Za-z0-9]{48}(?![A-Za-z0-9])`,
  ),
  secret(
    { id: 'tailscale-key', name: 'Tailscale key' },
    `(?<![A-Za-z])tskey-[a-z]{2,12}-[A-Za-z0-9]{8,32}-?[A-Za-z0-9]{0,48}`,
  ),
];

const codeAndPackages: readonly PolicyRule[] = [
  { ...secret({ id: 'github-token', name: 'GitHub token' }), detectors: ['github-token'] },
  secret(
    { id: 'github-fine-grained-token', name: 'GitHub fine-grained token' },
    `${start}github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}\\b`,
  ),
  secret(
    { id: 'gitlab-token', name: 'GitLab token' },
    `${start}gl(?:pat|dt|ptt|rt|soat|cbt|ft|agent|imt|oas)-[A-Za-z0-9_.-]{20,120}`,
  ),
  {
    ...secret(
      { id: 'npm-token', name: 'npm token' },
      `${start}_authToken\\s{0,2}=\\s{0,2}["']?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\\b`,
    ),
    detectors: ['npm-token'],
  },
  secret({ id: 'pypi-token', name: 'PyPI token' }, `${start}pypi-AgE[A-Za-z0-9_-]{50,1000}`),
  secret(
    { id: 'package-registry-token', name: 'Token of a package registry' },
    `${start}rubygems_[a-f0-9]{48}\\b`,
    `${start}cio[A-Za-z0-9]{32}\\b`,
    `${start}oy2[a-z0-9]{43}\\b`,
  ),
  secret({ id: 'docker-hub-token', name: 'Docker Hub token' }, `${start}dckr_(?:pat|oat)_[A-Za-z0-9_-]{27,60}`),
  secret(
    { id: 'developer-tool-token', name: 'Token of a developer tool' },
    `${start}lin_api_[A-Za-z0-9]{40,60}\\b`,
    `${start}PMAK-[a-f0-9]{24}-[a-f0-9]{34}\\b`,
    `${start}fig[dour]_[A-Za-z0-9_-]{40,60}`,
    `${start}ATATT3[A-Za-z0-9_=-]{100,250}`,
    `${start}sntry[su]_[A-Za-z0-9+/=_-]{40,300}`,
    `${start}dp\\.(?:pt|st|ct|sa|scim|audit)\\.[A-Za-z0-9]{40,44}\\b`,
    `${start}vc[piarkt]_[A-Za-z0-9]{24,64}(?![A-Za-z0-9])`,
    `${start}(?:secret_[A-Za-z0-9]{43}|ntn_\\d{11}[A-Za-z0-9]{35})(?![A-Za-z0-9])`,
  ),
  secret(
    { id: 'observability-token', name: 'Token of a monitoring service' },
    `${start}glsa_[A-Za-z0-9]{32}_[a-f0-9]{8}\\b`,
    `${start}glc_eyJ[A-Za-z0-9+/=]{40,400}`,
    `${start}NRAK-[A-Z0-9]{27}\\b`,
    `${start}NRJS-[a-f0-9]{19}\\b`,
  ),
];

const modelProviders: readonly PolicyRule[] = [
  secret(
    { id: 'openai-key', name: 'OpenAI key' },
    `${start}sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,250}`,
    `${start}sk-[A-Za-z0-9]{48}\\b`,
  ),
  secret(
    { id: 'anthropic-key', name: 'Anthropic key' },
    `${start}sk-ant-(?:api|admin|sid|oat|ort)\\d{2}-[A-Za-z0-9_-]{24,250}`,
  ),
  secret(
    { id: 'hugging-face-token', name: 'Hugging Face token' },
    `${start}(?:hf|api_org)_[A-Za-z]{34}(?![A-Za-z0-9])`,
  ),
  secret(
    { id: 'model-provider-key', name: 'Key of a model provider' },
    `${start}gsk_[A-Za-z0-9]{52}(?![A-Za-z0-9])`,
    `${start}xai-[A-Za-z0-9]{70,90}\\b`,
    `${start}pplx-[A-Za-z0-9]{40,60}\\b`,
    `${start}r8_[A-Za-z0-9]{37}\\b`,
    `${start}sk-or-v1-[0-9a-f]{64}\\b`,
    `${start}sk-lf-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\\b`,
    `${start}lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}\\b`,
  ),
];

const messagingAndMoney: readonly PolicyRule[] = [
  secret(
    { id: 'slack-token', name: 'Slack token' },
    `${start}xox[abeoprs]-(?:\\d{1,2}-)?[A-Za-z0-9-]{16,250}`,
    `${start}xapp-\\d-[A-Z0-9]{8,12}-\\d{10,14}-[a-f0-9]{60,70}\\b`,
  ),
  secret(
    { id: 'chat-webhook', name: 'Webhook of a chat' },
    'https://hooks\\.slack\\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/]{40,80}',
    'https://(?:canary\\.|ptb\\.)?discord(?:app)?\\.com/api/webhooks/\\d{16,20}/[A-Za-z0-9_-]{60,80}',
    `${start}webhook\\.office\\.com/webhookb2/[0-9a-f-]{36}@[0-9a-f-]{36}/IncomingWebhook/[0-9a-f]{32}`,
  ),
  secret(
    { id: 'telegram-bot-token', name: 'Telegram bot token' },
    `(?<=(?:\\b|bot)\\d{8,10}):AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])`,
  ),
  secret(
    { id: 'stripe-key', name: 'Stripe key' },
    `${start}[sr]k_(?:live|test|prod)_[A-Za-z0-9]{24,250}`,
    `${start}whsec_[A-Za-z0-9+/]{32,64}`,
  ),
  secret(
    { id: 'payment-key', name: 'Key of a payment provider' },
    `${start}sq0(?:atp|csp|idb)-[A-Za-z0-9_-]{22,43}`,
    `${start}access_token\\$(?:production|sandbox)\\$[a-z0-9]{16}\\$[a-f0-9]{32}\\b`,
    `${start}shp(?:at|ca|pa|ss|ua)_[A-Za-z0-9]{32,64}(?![A-Za-z0-9])`,
  ),
  secret(
    { id: 'mail-service-key', name: 'Key of a mail service' },
    `${start}SG\\.[A-Za-z0-9_-]{22}\\.[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])`,
    `${start}key-[0-9a-z]{32}\\b`,
    anyCase('\\bmailchimp[a-z_ .-]{0,24}["\']?\\s{0,3}[:=]\\s{0,3}["\']?[0-9a-f]{32}-us\\d{1,2}\\b'),
    `${start}xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}\\b`,
  ),
  secret(
    { id: 'twilio-key', name: 'Twilio key' },
    anyCase(`${start}twilio[a-z_ .-]{0,24}["']?\\s{0,3}[:=]\\s{0,3}["']?(?:sk|ac)?[0-9a-f]{32}\\b`),
  ),
];

const keys: readonly PolicyRule[] = [
  secret(
    { id: 'private-key-block', name: 'Private key' },
    '-----BEGIN (?:[A-Z0-9]{2,10} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:\\s|\\\\[nr]|["\',>|]){0,12}(?:(?:Proc-Type|DEK-Info|Version|Comment|Charset): [^\\n]{1,80}\\n){0,4}\\s{0,3}[A-Za-z0-9+/]{24}',
    `${start}PuTTY-User-Key-File-[23]: [a-z0-9-]{4,40}\\s`,
  ),
  secret(
    { id: 'age-secret-key', name: 'age secret key' },
    `${start}AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}\\b`,
  ),
  secret(
    { id: 'one-password-token', name: '1Password token or secret key' },
    `${start}ops_eyJ[A-Za-z0-9+/_-]{200,900}`,
    `${start}A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}\\b`,
  ),
  secret(
    { id: 'json-web-token', name: 'JSON web token', severity: 'High' },
    `${start}eyJ[A-Za-z0-9_-]{14,600}\\.(?!${johnDoe})eyJ[A-Za-z0-9_-]{14,1000}`,
  ),
  secret(
    { id: 'password-hash', name: 'Hash of a password', severity: 'High' },
    '\\$2[aby]\\$\\d{2}\\$[./A-Za-z0-9]{53}(?![./A-Za-z0-9])',
    '\\$6\\$(?:rounds=\\d{1,9}\\$)?[./A-Za-z0-9]{1,16}\\$[./A-Za-z0-9]{86}(?![./A-Za-z0-9])',
    '\\$argon2(?:id?|d)\\$v=\\d{1,3}\\$m=\\d{1,9},t=\\d{1,4},p=\\d{1,3}\\$[A-Za-z0-9+/]{10,90}\\$[A-Za-z0-9+/]{20,90}',
  ),
];

const inUrlsAndAssignments: readonly PolicyRule[] = [
  secret(
    { id: 'database-uri', name: 'Database address with a password' },
    anyCase(
      `\\b(?:postgres(?:ql)?|mysql|mariadb|mongodb|rediss?|amqps?|mssql|sqlserver|clickhouse|cockroachdb|cassandra|neo4j|bolt|ldaps?|smtps?|nats)(?:\\+\\w{2,12})?://[^\\s:/@"'<>{}$]{0,64}:${placeholder}[^\\s@/"'<>{}$%:]{4,128}@(?!example)[a-z0-9_.-]{2,100}`,
    ),
  ),
  secret(
    { id: 'connection-string', name: 'Connection string with a password' },
    anyCase(
      `\\b(?:server|data source|host|addr|address)\\s?=\\s?[^;=\\n"']{2,80};(?:[^;=\\n"']{1,40}=[^;=\\n"']{0,60};){0,8}\\s?(?:password|pwd)\\s?=\\s?${placeholder}[^;\\s"'<>{}$%]{5,64}`,
    ),
  ),
  secret(
    { id: 'basic-auth-url', name: 'URL with a password' },
    anyCase(
      `\\b(?:https?|ftps?|sftp|ssh|git\\+https|wss?)://[^\\s:/@"'<>{}$]{1,64}:${placeholder}[^\\s@/"'<>{}$%:]{6,128}@(?!example)[a-z0-9_.-]{3,100}`,
    ),
    // Placeholders are rare here: it sends passwords as they are, and who documents it shows real ones.
    anyCase(
      `\\bftps?://[^\\s:/@"'<>{}$]{1,64}:(?!(?:x{3}|\\*{3}|\\.{3})|[$<{%\\[(])[^\\s@/"'<>{}$%:]{4,128}@[a-z0-9_.-]{3,100}`,
    ),
  ),
  secret(
    { id: 'authorization-header', name: 'Authorization header' },
    anyCase(
      `\\bauthorization["']?\\s{0,2}[:=]\\s{0,2}["']?(?:basic\\s{1,2}${placeholder}(?=[a-z0-9+/]{0,60}[\\d=])[a-z0-9+/]{12,200}={0,2}|(?:bearer|token|apikey)\\s{1,2}${placeholder}${randomValue(20, 400)})(?![\\w.])`,
    ),
  ),
  secret(
    { id: 'password-assignment', name: 'Password in an assignment', severity: 'High' },
    anyCase(
      `(?<![a-z])(?:password|passwd|passphrase|pwd)["'\`]?\\s{0,3}(?:=>|:=|[:=])\\s{0,3}["'\`]${placeholder}(?=[^"'\`\\s]{0,40}\\d)(?=[^"'\`\\s]{0,40}[a-z])[^"'\`\\s<>{}$]{8,80}["'\`]`,
    ),
    `(?<![A-Za-z])(?:PASSWORD|PASSWD|PASSPHRASE|PWD)=${placeholder}(?=[^\\s"']{0,40}\\d)(?=[^\\s"']{0,40}[A-Za-z])[^\\s"'<>{}$()]{8,80}(?=\\s|$)`,
  ),
  secret(
    { id: 'secret-assignment', name: 'Secret in an assignment', severity: 'High' },
    anyCase(
      `${imageTag}(?:api[_-]?key|secret[_-]?key|client[_-]?secret|app[_-]?secret|consumer[_-]?secret|signing[_-]?(?:key|secret)|access[_-]?(?:token|key)|auth[_-]?token|refresh[_-]?token|encryption[_-]?key|private[_-]?token|webhook[_-]?secret|jwt[_-]?secret|bot[_-]?token|master[_-]?key)["'\`]?\\s{0,3}(?:=>|:=|[:=])\\s{0,3}["'\`]?${placeholder}${randomValue(16, 200)}(?![\\w(.])`,
    ),
  ),
  secret(
    { id: 'token-in-url', name: 'Token in the query of a URL', severity: 'High' },
    anyCase(
      `[?&](?:api[_-]?key|access_token|auth_token|client_secret|private_token|x-amz-signature|sig)=${placeholder}${randomValue(24, 400)}`,
    ),
  ),
  secret(
    { id: 'login-command', name: 'Password on a command line', severity: 'High' },
    anyCase(`\\bsshpass\\s{1,2}-p\\s{0,2}["']?${placeholder}(?=[^\\s"']{0,40}\\d)[^\\s"'<>{}$]{6,80}`),
    anyCase(
      `\\bdocker login\\s[^\\n|;]{0,60}(?:\\s-p|--password)[\\s=]["']?${placeholder}(?=[^\\s"']{0,40}\\d)[^\\s"'<>{}$]{6,80}`,
    ),
    anyCase(
      `\\bcurl\\s[^\\n|;]{0,60}\\s(?:-u|--user)[\\s=]["']?[\\w.@-]{1,40}:${placeholder}(?=[^\\s"']{0,40}\\d)[^\\s"'<>{}$]{6,80}`,
    ),
    anyCase(`\\bnet use\\s[^\\n]{0,60}/user:\\S{1,40}\\s${placeholder}(?=[^\\s"']{0,40}\\d)[^\\s"'<>{}$/]{6,80}`),
  ),
];

/** Credentials recognised by their structure, on their way to a model or back from it. */
export const secretRules: readonly PolicyRule[] = [
  ...providers,
  ...codeAndPackages,
  ...modelProviders,
  ...messagingAndMoney,
  ...keys,
  ...inUrlsAndAssignments,
];
