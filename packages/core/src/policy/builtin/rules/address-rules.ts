import type { PolicyPattern, PolicyRule } from '@portcullis/contracts/policy-file';

/*
 * Addresses that are a secret themselves, since whoever knows one may use it: webhooks, feeds, and those with a key in their path
 * or query. One row for each service.
 */

const hex = (length: number): string => `[0-9a-f]{${length}}`;
const uuid = `${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`;
const word = (least: number, most: number): string => `[\\w-]{${least},${most}}`;

/** Services that take messages from whoever knows the address. */
const webhooks: readonly (readonly [service: string, address: string])[] = [
  ['Airtable', `hooks\\.airtable\\.com/workflows/v1/genericWebhook/app\\w{10,20}/wfl\\w{10,20}/wtr\\w{10,20}`],
  ['Amazon Chime', `hooks\\.chime\\.aws/incomingwebhooks/${uuid}\\?token=\\w{20,80}`],
  [
    'Azure Logic Apps',
    `logic\\.azure\\.com(?::443)?/workflows/${hex(32)}/triggers/[^\\s"'<>]{4,300}sig=[\\w%-]{40,60}`,
  ],
  ['Azure Functions', `azurewebsites\\.net/api/[\\w/-]{1,80}\\?code=[\\w/=%-]{40,100}`],
  ['Bark', `api\\.day\\.app/[A-Za-z0-9]{22}(?![A-Za-z0-9])`],
  ['Datadog', `datadoghq\\.(?:com|eu)/[\\w/.-]{1,60}\\?(?:api_key|dd-api-key)=${hex(32)}`],
  ['DingTalk', `oapi\\.dingtalk\\.com/robot/send\\?access_token=${hex(64)}`],
  ['Discord', `discord(?:app)?\\.com/api/(?:v\\d{1,2}/)?webhooks/\\d{16,20}/${word(60, 80)}`],
  ['Feishu', `open\\.(?:feishu\\.cn|larksuite\\.com)/open-apis/bot/v2/hook/${uuid}`],
  [
    'Google Chat',
    `chat\\.googleapis\\.com/v1/spaces/${word(6, 20)}/messages\\?key=AIza${word(35, 35)}&token=[\\w%-]{20,80}`,
  ],
  ['Google Calendar', `calendar\\.google\\.com/calendar/ical/[^\\s/"'<>]{4,120}/private-${hex(32)}/`],
  ['Healthchecks', `hc-ping\\.com/${uuid}`],
  ['IFTTT', `maker\\.ifttt\\.com/(?:trigger/[\\w-]{1,60}(?:/json)?/with|use)/(?:key/)?${word(20, 50)}`],
  ['Loggly', `logs-01\\.loggly\\.com/(?:inputs|bulk)/${uuid}`],
  ['Make', `hook\\.(?:[a-z]{2}\\d\\.)?(?:make|integromat)\\.com/[a-z0-9]{28,36}(?![a-z0-9])`],
  ['Mattermost and Rocket.Chat', `/hooks/(?:[a-z0-9]{26}(?![a-z0-9])|[A-Za-z0-9]{17}/[A-Za-z0-9]{40,50})`],
  ['Opsgenie', `api\\.(?:eu\\.)?opsgenie\\.com/v1/json/[\\w-]{2,40}\\?apiKey=${uuid}`],
  ['PagerDuty', `events\\.(?:eu\\.)?pagerduty\\.com/(?:integration|x-ere)/[\\w-]{20,40}/enqueue`],
  ['ServerChan', `sc(?:tapi)?\\.ftqq\\.com/SCT?[A-Za-z0-9]{20,60}\\.send`],
  [
    'Slack',
    `hooks\\.slack(?:-gov)?\\.com/(?:services|workflows|triggers)/T[A-Z0-9]{5,14}/[A-Z0-9]{5,24}/[A-Za-z0-9]{16,64}`,
  ],
  ['Splunk', `splunkcloud\\.com(?::\\d{2,5})?/services/collector[^\\s"'<>]{0,60}token=${uuid}`],
  ['Sumo Logic', `collection\\.(?:[a-z]{2}\\d?\\.)?sumologic\\.com/receiver/v1/http/[A-Za-z0-9_=-]{60,120}`],
  [
    'Teams',
    `(?:outlook\\.office(?:365)?\\.com/webhook|webhook\\.office\\.com/webhookb2)/${uuid}@${uuid}/\\w{4,30}/${hex(32)}`,
  ],
  ['Telegram', `api\\.telegram\\.org/bot\\d{8,10}:[\\w-]{35}`],
  ['Webex', `webexapis\\.com/v1/webhooks/incoming/${word(70, 120)}`],
  ['WeCom', `qyapi\\.weixin\\.qq\\.com/cgi-bin/webhook/send\\?key=${uuid}`],
  ['Zapier', `hooks\\.zapier\\.com/hooks/catch/\\d{4,10}/[a-z0-9]{5,12}`],
];

/** Services that read their key in the path or the query. */
const keyed: readonly (readonly [service: string, address: string])[] = [
  ['Alchemy', `g\\.alchemy(?:api)?\\.(?:com|io)/v2/${word(30, 34)}(?![\\w-])`],
  ['Ankr', `rpc\\.ankr\\.com/[\\w-]{2,30}/${hex(64)}`],
  ['Adafruit IO', `io\\.adafruit\\.com/[^\\s"'<>]{1,120}x-aio-key=\\w{28,36}`],
  ['Blynk', `blynk(?:-cloud)?\\.(?:com|cloud)/[^\\s"'<>]{0,80}[?&/](?:token=)?[\\w-]{32}(?![\\w-])`],
  ['Particle', `api\\.particle\\.io/[^\\s"'<>]{1,120}access_token=${hex(40)}`],
  ['ThingSpeak', `api\\.thingspeak\\.com/[^\\s"'<>]{1,80}[?&](?:api_)?key=[A-Z0-9]{16}`],
  ['ThingsBoard', `thingsboard\\.(?:cloud|io)/api/v1/[a-z0-9]{20}(?![a-z0-9])`],
  ['Infura', `infura\\.io/(?:ws/)?v3/${hex(32)}`],
  ['Moralis', `(?:moralis-nodes|moralis)\\.(?:com|io)/[\\w/-]{0,40}/${hex(24)}(?![0-9a-f])`],
  ['QuickNode', `quiknode\\.pro/${hex(40)}`],
  ['OpenWeather', `api\\.openweathermap\\.org/[^\\s"'<>]{0,120}[?&]appid=${hex(32)}`],
  ['Cloudinary', `cloudinary://\\d{12,18}:${word(24, 30)}@\\w{2,60}`],
  ['Google, signed', `[?&]X-Goog-Signature=${hex(256)}`],
  ['Amazon, signed', `[?&]X-Amz-(?:Signature=${hex(64)}|Security-Token=[\\w%/+=-]{100,1000})`],
  ['Amazon CloudFront, signed', `[?&]Signature=[\\w~-]{100,600}&Key-Pair-Id=[A-Z0-9]{10,24}`],
  ['One-time password', `otpauth://[th]otp/[^\\s"'<>]{1,160}[?&]secret=[A-Z2-7]{16,128}`],
  ['Dotenv vault', `dotenv://:key_${hex(64)}@`],
];

const rule = (
  id: string,
  name: string,
  rows: readonly (readonly [service: string, address: string])[],
): PolicyRule => ({
  id,
  name,
  severity: 'Critical',
  enabled: true,
  action: 'block',
  category: 'Content Security',
  patterns: rows.map(([, regex]): PolicyPattern => ({ regex, flags: 'i' })),
});

export const addressRules: readonly PolicyRule[] = [
  rule('webhook-address', 'Address of a webhook', webhooks),
  rule('keyed-address', 'Address with a key in it', keyed),
];
