import type { RuleFixture } from './rule-fixture.ts';

/* Put together here, with prefixes cut by a dot, so that no scanner of repositories takes this file for a leak. */
const repeat = (text: string, length: number): string => text.repeat(Math.ceil(length / text.length)).slice(0, length);
const mixed = (length: number): string => repeat('aB3dE6gH9jK2mN5pQ8rS1tU4', length);
const lower = (length: number): string => repeat('a3b6c9d2e5f8g1h4', length);
const upper = (length: number): string => repeat('A3B6C5D2E5F7G4H2', length);
const hex = (length: number): string => repeat('0a1b2c3d4e5f6789', length);
const digits = (length: number): string => repeat('7402918365', length);
const glue = (texts: TemplateStringsArray, ...values: readonly string[]): string =>
  texts
    .map((text, index) => text + (values[index] ?? ''))
    .join('')
    .replaceAll('·', '');
const uuid = `${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`;
const seed = 'apple bridge candle dinner eagle forest garden hammer island jungle kitten lemon';

/** By rule. Two tokens that count; the look-alikes are the prefix alone, and a placeholder. */
const tokens: Readonly<Record<string, readonly [string, string, string, string]>> = {
  'adobe-key': [glue`p8·e-${mixed(32)}`, glue`key p8·e-${lower(32)}`, 'p8e-short', 'p8e is a prefix'],
  'airtable-token': [
    glue`pa·t${mixed(14)}.${hex(64)}`,
    glue`"pa·t${mixed(14)}.${hex(64)}"`,
    'patio.furniture',
    'pattern.test',
  ],
  'alibaba-key': [glue`LT·AI${mixed(16)}`, glue`id=LT·AI${mixed(20)}`, 'LTAI', 'LTAIshort'],
  'amazon-mws-token': [glue`amzn·.mws.${uuid}`, glue`token amzn·.mws.${uuid}`, 'amzn.mws', 'amzn.mws.test'],
  'artifactory-key': [glue`AK·Cp${mixed(69)}`, glue`key: AK·Cp${mixed(64)}`, 'AKCp', 'AKCp8short'],
  'asana-token': [
    glue`asana_token = "1/${digits(16)}:${hex(32)}"`,
    glue`ASANA_PAT=1/${digits(16)}:${hex(32)}`,
    'asana_token = ""',
    'asana is a tool',
  ],
  'azure-devops-token': [
    glue`${mixed(52)}JQQJ·99${mixed(18)}AZDO·${mixed(4)}`,
    `ado_pat = ${repeat('a2b3c4d5', 52)}`,
    'JQQJ99',
    'ado_pat = x',
  ],
  'azure-client-secret': [glue`abc8·Q~${mixed(34)}`, glue`secret=xyz7·Q~${mixed(31)}`, '8Q~', 'abc8Q~short'],
  'bitbucket-password': [glue`AT·BB${mixed(32)}`, glue`pw AT·BB${mixed(32)}`, 'ATBB', 'ATBBshort'],
  'cerebras-or-together-key': [glue`cs·k-${lower(48)}`, glue`nv·api-${mixed(64)}`, 'csk-short', 'nvapi-'],
  'clojars-token': [glue`CLO·JARS_${lower(60)}`, glue`t=CLO·JARS_${lower(60)}`, 'CLOJARS_', 'CLOJARS_short'],
  'codeclimate-id': [
    `CC_TEST_REPORTER_ID=${hex(64)}`,
    `cc_test_reporter_id: ${hex(64)}`,
    'CC_TEST_REPORTER_ID=',
    'cc_test_reporter_id: none',
  ],
  'contentful-token': [glue`CF·PAT-${mixed(43)}`, glue`t CF·PAT-${mixed(43)}`, 'CFPAT-', 'CFPAT-short'],
  'datadog-key': [`DD_API_KEY=${hex(32)}`, `datadog_app_key: "${hex(40)}"`, 'DD_API_KEY=', 'datadog_api_key: none'],
  'discord-bot-token': [
    glue`discord_token = "M${mixed(25)}.${mixed(6)}.${mixed(30)}"`,
    glue`DISCORD_BOT_TOKEN=N${mixed(23)}.${mixed(6)}.${mixed(38)}`,
    'discord_token = ""',
    'discord is a chat',
  ],
  'dropbox-token': [glue`s·l.${mixed(140)}`, glue`s·l.u.${mixed(200)}`, 'sl.short', 'sl. is an ending'],
  'dynatrace-token': [
    glue`dt0·c01.${repeat('ABCDEFG2', 24)}.${repeat('ABCDEFG2', 64)}`,
    glue`Api-Token dt0·s01.${repeat('QRSTUVW3', 24)}.${repeat('ABCDEFG2', 64)}`,
    'dt0c01.',
    'dt0c01.SHORT',
  ],
  'easypost-key': [glue`EZ·AK${mixed(54)}`, glue`EZ·TK${mixed(54)}`, 'EZAK', 'EZTKshort'],
  'facebook-token': [glue`EA·AC${mixed(120)}`, glue`EA·AB${mixed(120)}`, 'EAAC', 'EAACshort'],
  'flutterwave-key': [
    glue`FLW·SECK-${repeat('a1b2c3d4', 32)}-X`,
    glue`FLW·SECK_TEST-${repeat('a1b2c3d4', 12)}`,
    'FLWSECK',
    'FLWSECK-zz',
  ],
  'frameio-token': [glue`fio·-u-${mixed(64)}`, glue`t fio·-u-${mixed(64)}`, 'fio-u-', 'fio-u-short'],
  'gitea-or-sourcegraph-token': [glue`sg·p_${hex(40)}`, glue`sg·p_${hex(16)}_${hex(40)}`, 'sgp_', 'sgp_short'],
  'google-oauth-refresh-token': [glue`1//·0${mixed(60)}`, glue`"1//·0${mixed(90)}"`, '1//0', '1//0short'],
  'heroku-key': [glue`HR·KU-${mixed(40)}`, `HEROKU_API_KEY=${uuid}`, 'HRKU-', 'HEROKU_API_KEY='],
  'hubspot-token': [glue`pat-·na1-${uuid}`, glue`pat-·eu1-${uuid}`, 'pat-na1-', 'pat-na1-short'],
  'intercom-or-zendesk-token': [
    `zendesk_token = "${lower(40)}"`,
    `INTERCOM_SECRET=${lower(48)}`,
    'zendesk_token = ""',
    'intercom token',
  ],
  'jenkins-token': [`jenkins_token=${hex(34)}`, `Jenkins-Crumb: ${hex(64)}`, 'jenkins_token=', 'Jenkins-Crumb'],
  'kubernetes-bootstrap-token': [
    'kubeadm join 10.0.0.1:6443 --token abc123.0123456789abcdef',
    'bootstrap-token: xyz789.abcdef0123456789',
    'kubeadm join 10.0.0.1:6443',
    'bootstrap-token: none',
  ],
  'launchdarkly-key': [glue`sd·k-${uuid}`, glue`mo·b-${uuid}`, 'sdk-1.2', 'api-docs'],
  'mapbox-token': [
    glue`sk·.eyJ${mixed(70)}.${mixed(22)}`,
    glue`t=sk·.eyJ${mixed(60)}.${mixed(20)}`,
    'sk.eyJ',
    'mapbox',
  ],
  'netlify-token': [glue`nf·p_${mixed(36)}`, `NETLIFY_TOKEN=${mixed(43)}`, 'nfp_', 'NETLIFY_TOKEN='],
  'netrc-login': [
    'machine git.test login ann password w8Kp22x',
    'machine a.test login bot password hT7x9Qq',
    'machine a.test login ann',
    'machine learning',
  ],
  'new-relic-key': [
    glue`NR·II-${mixed(32)}`,
    `NEW_RELIC_LICENSE_KEY=${hex(36)}NRAL`,
    'NRII-',
    'NEW_RELIC_LICENSE_KEY=',
  ],
  'nuget-or-hex-key': [
    `nuget_api_key = ${lower(46)}`,
    `SONATYPE_PASSWORD="${mixed(30)}"`,
    'nuget_api_key =',
    'SONATYPE_PASSWORD="changeme"',
  ],
  'okta-token': [
    `okta_api_token = 00${mixed(40)}`,
    `Authorization: SSWS 00${mixed(40)}`,
    'okta_api_token =',
    'SSWS token',
  ],
  'pagerduty-or-opsgenie-key': [
    `PAGERDUTY_TOKEN=${mixed(20)}`,
    `opsgenie_key: ${uuid}`,
    'PAGERDUTY_TOKEN=',
    'opsgenie key',
  ],
  'planetscale-secret': [
    glue`pscale·_tkn_${mixed(43)}`,
    glue`pscale·_pw_${mixed(43)}`,
    'pscale_tkn_',
    'pscale_pw_short',
  ],
  'posthog-key': [glue`ph·x_${mixed(43)}`, glue`"ph·x_${mixed(47)}"`, 'phx_', 'phx_short'],
  'pulumi-or-prefect-token': [glue`pu·l-${hex(40)}`, glue`pn·u_${mixed(36)}`, 'pul-', 'pnu_short'],
  'readme-or-scalingo-token': [glue`rd·me_${lower(70)}`, glue`rn·d_${mixed(32)}`, 'rdme_', 'rnd_short'],
  'salesforce-token': [
    glue`00·D${mixed(12)}!${mixed(96)}`,
    glue`sid=00·D${mixed(15)}!${mixed(80)}`,
    '00D',
    '00Dshort!',
  ],
  'sonarqube-token': [glue`sq·p_${hex(40)}`, `sonar.login=${hex(40)}`, 'sqp_', 'sonar.login='],
  'square-or-mollie-key': [glue`EA·AA${mixed(60)}`, glue`li·ve_${mixed(30)}`, 'EAAA', 'live_stream'],
  'snyk-or-semgrep-token': [`SNYK_TOKEN=${uuid}`, `codecov_token: ${hex(32)}`, 'SNYK_TOKEN=', 'codecov token'],
  'supabase-key': [glue`sb·p_${mixed(44)}`, glue`sb·_secret_${mixed(36)}`, 'sbp_', 'sb_secret_short'],
  'search-api-key': [glue`tv·ly-${mixed(32)}`, glue`f·c-${hex(32)}`, 'tvly-', 'fc-2024'],
  'twitter-token': [
    glue`${'A'.repeat(22)}${mixed(84)}`,
    glue`Bearer ${'A'.repeat(22)}${mixed(90)}`,
    'A'.repeat(30),
    'AAAA battery',
  ],
  'typeform-or-airbrake-token': [glue`tf·p_${mixed(44)}`, glue`"tf·p_${mixed(59)}"`, 'tfp_', 'tfp_short'],
  'vault-unseal-key': [`Unseal Key 1: ${mixed(43)}=`, `unseal key: ${mixed(44)}`, 'Unseal Key 1:', 'unseal the box'],
  'volcengine-or-tencent-key': [glue`AK·ID${mixed(32)}`, glue`AK·LT${mixed(44)}`, 'AKID', 'AKLTshort'],
  'wireguard-key': [
    `PrivateKey = ${mixed(43)}=`,
    `PresharedKey=${mixed(43)}=`,
    'PrivateKey =',
    `PublicKey = ${mixed(43)}=`,
  ],
  'ethereum-private-key': [
    `private_key = 0x${hex(64)}`,
    `seed phrase: ${seed}`,
    'private_key =',
    'a seed phrase has twelve words',
  ],
  'docker-config-auth': [
    `"auth": "${mixed(24)}=="`,
    `"auths": {"r.test": {"auth": "${mixed(31)}="`,
    '"auth": "none"',
    '"auths": {}',
  ],
  'django-secret-key': [
    `SECRET_KEY = "${mixed(50)}"`,
    `APP_KEY=base64:${mixed(43)}=`,
    'SECRET_KEY = "changeme"',
    'APP_KEY=',
  ],
  'user-and-password': [
    'username: ann, password: hT7x9Qq2',
    'user=bot;pwd=w8Kp22x9',
    'username: ann, password: <password>',
    'user and password',
  ],
  'windows-remote-password': [
    'psexec \\\\srv -u corp\\ann -p hT7x9Qq2 cmd',
    'Connect-VIServer vc.test -User ann -Password w8Kp22x9',
    'psexec \\\\srv cmd',
    'Connect-VIServer vc.test',
  ],
  'legacy-password-hash': [`$1$abcdefgh$${mixed(22)}`, `joe:1001:${hex(32)}:${hex(32)}:::`, '$1 a day', '$5 off'],
  'cloud-account-pair': [
    glue`AK·IA${upper(16)}:${mixed(40)}`,
    glue`AK·IA${upper(16)} ${mixed(40)}`,
    glue`AK·IA${upper(16)} only`,
    'AKIA:',
  ],
  'azure-connection-string': [
    `DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=${mixed(86)}==`,
    `Endpoint=sb://a.test/;SharedAccessKeyName=root;SharedAccessKey=${mixed(43)}=`,
    'DefaultEndpointsProtocol=https;AccountName=shop',
    'Endpoint=sb://a.test/',
  ],
  'jdbc-password': [
    'jdbc:mysql://db.test/shop?user=a&password=hT7x9Qq2',
    'jdbc:oracle:thin:scott/t1ger9@db.test',
    'jdbc:mysql://db.test/shop',
    'jdbc:mysql://db.test/shop?password=<password>',
  ],
  'ci-variable-token': [
    `DEPLOY_TOKEN=${lower(30)}`,
    `my_service_secret = "${mixed(32)}"`,
    'DEPLOY_TOKEN=$TOKEN',
    'max_token=4096',
  ],
};

export const vendorSecretFixture: Readonly<Record<string, RuleFixture>> = Object.fromEntries(
  Object.entries(tokens).map(([id, [first, second, ...misses]]) => [id, { matches: [first, second], misses }]),
);
