import { digits, glue, hex, letters, lower, mixed, repeat, upper, uuid } from './made-up-tokens.fixture.ts';
import type { RuleFixture } from './rule-fixture.ts';

/** By rule. */
export const secretFixture: Readonly<Record<string, RuleFixture>> = {
  'aws-access-key-id': {
    matches: [glue`key id AK·IA${upper(16)} in the log`, glue`AS·IA${upper(16)}`],
    misses: ['AKIA is a prefix of key ids', glue`AK·IA${upper(12)}`],
  },
  'aws-secret-access-key': {
    matches: [`aws_secret_access_key = ${mixed(40)}`, `"awsSecretKey": "${mixed(40)}"`],
    misses: ['aws_secret_access_key = <your key>', 'aws_secret_access_key is read from the profile'],
  },
  'google-api-key': {
    matches: [glue`AI·za${mixed(35)}`, glue`key=AI·za${mixed(35)}&q=x`],
    misses: [glue`AI·za${mixed(20)}`, 'the key starts with AIza'],
  },
  'google-oauth': {
    matches: [glue`GOC·SPX-${mixed(28)}`, glue`ya·29.${mixed(60)}`],
    misses: ['GOCSPX-short', 'ya29.tooshort'],
  },
  'google-service-account': {
    matches: [`"private_key_id": "${hex(40)}"`, `"private_key_id":"${hex(40)}"`],
    misses: ['"private_key_id": "..."', `"client_id": "${digits(21)}"`],
  },
  'azure-storage-key': {
    matches: [`AccountName=a;AccountKey=${mixed(86)}==`, `SharedAccessKey=${mixed(43)}=`],
    misses: ['AccountKey=<key>', 'AccountKey=abc=='],
  },
  'azure-shared-access-signature': {
    matches: [`?sv=2024-01-01&sig=${mixed(43)}%3D`, `&sig=${mixed(44)}=`],
    misses: ['&sig=none', '?sig=abc%3D'],
  },
  'digitalocean-token': {
    matches: [glue`dop·_v1_${hex(64)}`, glue`doo·_v1_${hex(64)}`],
    misses: [glue`dop·_v1_${hex(20)}`, 'dop_v1_ is the prefix'],
  },
  'databricks-token': {
    matches: [glue`da·pi${hex(32)}`, glue`da·pi${hex(32)}-3`],
    misses: [glue`da·pi${hex(20)}`, 'a dapi of hex'],
  },
  'hashicorp-token': {
    matches: [glue`hv·s.${mixed(24)}`, glue`${mixed(14)}.atl·asv1.${mixed(64)}`],
    misses: ['hvs.short', 'the suffix .atlasv1. marks them'],
  },
  'cloudflare-key': {
    matches: [glue`v1·.0-${hex(24)}-${hex(146)}`, glue`cf·at_${mixed(48)}`],
    misses: ['v1.0-beta', glue`cf·at_${mixed(20)}`],
  },
  'tailscale-key': {
    matches: [glue`tsk·ey-auth-${mixed(16)}-${mixed(24)}`, glue`tsk·ey-api-${mixed(12)}`],
    misses: ['tskey-auth', 'tskey-auth-short'],
  },
  'github-token': {
    matches: [glue`gh·p_${mixed(36)}`, glue`token gh·s_${mixed(40)} used`],
    misses: [glue`gh·p_${mixed(20)}`, glue`gh·x_${mixed(36)}`],
  },
  'github-fine-grained-token': {
    matches: [glue`github·_pat_${mixed(22)}_${mixed(59)}`, glue`"github·_pat_${mixed(22)}_${mixed(59)}"`],
    misses: [glue`github·_pat_${mixed(22)}`, 'github_pat_ and more'],
  },
  'gitlab-token': {
    matches: [glue`gl·pat-${mixed(20)}`, glue`gl·rt-${mixed(24)}`],
    misses: ['glpat-short', glue`gl·xx-${mixed(20)}`],
  },
  'npm-token': {
    matches: [glue`np·m_${mixed(36)}`, `//registry.example.org/:_authToken=${uuid}`],
    misses: ['npm_config_registry', '_authToken=${NPM_TOKEN}'],
  },
  'pypi-token': {
    matches: [glue`py·pi-AgE${mixed(60)}`, glue`password = py·pi-AgE${mixed(120)}`],
    misses: ['pypi-AgE', 'pypi-server'],
  },
  'package-registry-token': {
    matches: [glue`ruby·gems_${hex(48)}`, glue`ci·o${mixed(32)}`, glue`oy·2${lower(43)}`],
    misses: ['rubygems_version', 'ciousness', 'oy2 is short'],
  },
  'docker-hub-token': {
    matches: [glue`dckr·_pat_${mixed(27)}`, glue`dckr·_oat_${mixed(32)}`],
    misses: ['dckr_pat_', 'dckr_pat_short'],
  },
  'developer-tool-token': {
    matches: [
      glue`lin·_api_${mixed(40)}`,
      glue`PM·AK-${hex(24)}-${hex(34)}`,
      glue`fig·d_${mixed(43)}`,
      glue`AT·ATT3${mixed(120)}`,
      glue`sntr·ys_${mixed(60)}`,
      glue`dp·.pt.${mixed(43)}`,
      glue`vc·p_${mixed(40)}`,
      glue`nt·n_${digits(11)}${mixed(35)}`,
    ],
    misses: ['lin_api_url', 'figd_ without more', glue`nt·n_${mixed(10)}`],
  },
  'observability-token': {
    matches: [
      glue`gl·sa_${mixed(32)}_${hex(8)}`,
      glue`glc·_eyJ${mixed(60)}`,
      glue`NR·AK-${upper(27)}`,
      glue`NR·JS-${hex(19)}`,
    ],
    misses: ['glsa_token', 'NRAK-SHORT'],
  },
  'openai-key': {
    matches: [glue`sk·-proj-${mixed(48)}`, glue`sk·-${mixed(48)}`],
    misses: ['sk-learn is a library', 'sk-proj-short'],
  },
  'anthropic-key': {
    matches: [glue`sk·-ant-api03-${mixed(93)}`, glue`sk·-ant-oat01-${mixed(80)}`],
    misses: ['sk-ant-api03-short', 'sk-antarctica'],
  },
  'hugging-face-token': {
    matches: [glue`h·f_${letters(34)}`, glue`api·_org_${letters(34)}`],
    misses: [glue`h·f_${letters(20)}`, 'hf_hub_download'],
  },
  'model-provider-key': {
    matches: [
      glue`gs·k_${mixed(52)}`,
      glue`xa·i-${mixed(80)}`,
      glue`ppl·x-${mixed(48)}`,
      glue`r·8_${mixed(37)}`,
      glue`sk·-or-v1-${hex(64)}`,
      glue`sk·-lf-${uuid}`,
      glue`lsv·2_pt_${hex(32)}_${hex(10)}`,
    ],
    misses: ['gsk_ is the prefix', 'xai-grok-4', glue`r·8_${mixed(12)}`],
  },
  'slack-token': {
    matches: [
      glue`xox·b-${digits(12)}-${digits(12)}-${mixed(24)}`,
      glue`xap·p-1-${upper(11)}-${digits(13)}-${hex(64)}`,
    ],
    misses: ['xoxb-token', 'xapp-1-app'],
  },
  'chat-webhook': {
    matches: [
      glue`https://hooks.·slack.com/services/T${upper(8)}/B${upper(8)}/${mixed(24)}`,
      glue`https://·discord.com/api/webhooks/${digits(18)}/${mixed(68)}`,
      glue`https://x.·webhook.office.com/webhookb2/${uuid}@${uuid}/IncomingWebhook/${hex(32)}/${uuid}`,
    ],
    misses: ['https://hooks.slack.com/services/', 'https://discord.com/api/webhooks/'],
  },
  'telegram-bot-token': {
    matches: [glue`${digits(10)}:A·A${mixed(33)}`, glue`/bot${digits(9)}:A·A${mixed(33)}`],
    misses: ['12:AAAA', `${digits(10)}:AA short`],
  },
  'stripe-key': {
    matches: [glue`sk·_live_${mixed(24)}`, glue`rk·_test_${mixed(40)}`, glue`whs·ec_${mixed(32)}`],
    misses: ['sk_live_ keys are secret', glue`pk·_live_${mixed(24)}`],
  },
  'payment-key': {
    matches: [
      glue`sq0·atp-${mixed(22)}`,
      glue`access·_token$production$${lower(16)}$${hex(32)}`,
      glue`shp·at_${hex(32)}`,
    ],
    misses: ['sq0atp-short', 'shpat_'],
  },
  'mail-service-key': {
    matches: [
      glue`S·G.${mixed(22)}.${mixed(43)}`,
      glue`ke·y-${hex(32)}`,
      `mailchimp_key = ${hex(32)}-us12`,
      glue`xkey·sib-${hex(64)}-${mixed(16)}`,
    ],
    misses: ['SG.1', 'key-value', `${hex(32)}-us12`],
  },
  'twilio-key': {
    matches: [`TWILIO_AUTH_TOKEN=${hex(32)}`, `twilio_api_key: "SK${hex(32)}"`],
    misses: ['TWILIO_AUTH_TOKEN=<token>', 'twilio is a provider'],
  },
  'private-key-block': {
    matches: [
      glue`-----BEGIN RSA ·PRIVATE KEY-----\n${mixed(64)}\n`,
      glue`"-----BEGIN ·PRIVATE KEY-----\\n${mixed(64)}\\n`,
      glue`-----BEGIN RSA ·PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n${mixed(64)}`,
      'PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none',
    ],
    misses: [glue`-----BEGIN ·PRIVATE KEY----- marks its start`, `-----BEGIN PUBLIC KEY-----\n${mixed(64)}\n`],
  },
  'age-secret-key': {
    matches: [
      glue`AGE-SECRET·-KEY-1${repeat('QPZRY9X8GF2TVDW0', 58)}`,
      glue`# AGE-SECRET·-KEY-1${repeat('S3JN54KHCE6MUA7L', 58)}`,
    ],
    misses: ['AGE-SECRET-KEY-1', 'age-keygen writes a secret key'],
  },
  'one-password-token': {
    matches: [glue`ops·_eyJ${mixed(220)}`, glue`A·3-${upper(6)}-${upper(11)}-${upper(5)}-${upper(5)}-${upper(5)}`],
    misses: ['ops_team', 'A3-PAPER'],
  },
  'json-web-token': {
    matches: [
      glue`ey·J${mixed(30)}.ey·J${mixed(60)}.${mixed(43)}`,
      glue`Cookie: t=ey·J${mixed(40)}.ey·J${mixed(200)}.${mixed(43)}`,
    ],
    misses: ['eyJ is base64 for an open brace', glue`ey·J${mixed(30)}.rest`],
  },
  'password-hash': {
    matches: [
      glue`$2·b$12$${mixed(53)}`,
      glue`root:$6·$salt$${mixed(86)}:19000`,
      glue`$argon2·id$v=19$m=65536,t=3,p=4$${mixed(22)}$${mixed(43)}`,
    ],
    misses: ['costs $2b a year', 'grep $6 file'],
  },
  'database-uri': {
    matches: [
      'postgres://app:s3cr3tPa55@db.internal:5432/app',
      'mongodb+srv://reader:hT7x-9Qq@cluster0.mongodb.net/shop',
      'redis://:9fJ2kLq0@10.0.0.5:6379/0',
    ],
    misses: [
      'postgres://user:password@localhost:5432/app',
      'postgres://db.internal:5432/app',
      'mysql://root:${DB_PASSWORD}@db/app',
    ],
  },
  'connection-string': {
    matches: [
      'Server=db1;Database=shop;User Id=app;Password=hT7x9Qq2z;',
      'Data Source=10.0.0.5;Initial Catalog=crm;User ID=sa;Pwd=Qw4!xx91',
    ],
    misses: ['Server=db1;Database=shop;Integrated Security=true;', 'Server=db1;Password=<password>;'],
  },
  'basic-auth-url': {
    matches: ['https://deploy:hT7x9Qq2z@registry.internal/v2/', 'ftp://backup:w8Kp-22x@files.internal/daily'],
    misses: ['https://user:password@host.test/', 'https://host.test:8443/a@b', 'git@host.test:a/b.git'],
  },
  'authorization-header': {
    matches: [`Authorization: Bearer ${mixed(40)}`, `"authorization": "Basic ${mixed(24)}=="`],
    misses: ['Authorization: Bearer <token>', 'Authorization: Bearer ${token}', 'authorization is checked first'],
  },
  'password-assignment': {
    matches: ['password = "hT7x9Qq2z"', "db_passwd: 'w8Kp-22x!'", 'MYSQL_PASSWORD=hT7x9Qq2z\n'],
    misses: [
      'password = "changeme"',
      'password: "string"',
      'PASSWORD=$(cat /run/pw)',
      'The password has 12 characters.',
    ],
  },
  'secret-assignment': {
    matches: [`api_key = "${mixed(24)}"`, `CLIENT_SECRET=${mixed(32)}`, `"accessToken": "${lower(24)}"`],
    misses: [
      'api_key = os.environ["API_KEY"]',
      'client_secret: your-client-secret',
      'accessToken: response.data.token12',
    ],
  },
  'token-in-url': {
    matches: [`https://api.test/v1?api_key=${mixed(32)}`, `/files?private_token=${lower(26)}&x=1`],
    misses: ['https://api.test/v1?api_key=YOUR_KEY', '?sig=1'],
  },
  'login-command': {
    matches: [
      "sshpass -p 'w8Kp-22x' ssh host",
      'docker login -u ci --password hT7x9Qq2z registry.test',
      'curl -s -u deploy:hT7x9Qq2z https://host.test',
      'net use \\\\srv\\share /user:corp\\svc hT7x9Qq2z',
    ],
    misses: [
      'docker login -u ci --password-stdin',
      'curl -u "$USER:$PASS" https://host.test',
      'net use lists the drives',
    ],
  },
};
