import type { TokenRow } from './token-row.ts';

/** What watches systems and calls people at night. */
export const monitoringTokens: readonly TokenRow[] = [
  ['Axiom', 'xaat-{uuid}'],
  ['Axiom personal', 'xapt-{uuid}'],
  ['Checkly', 'cu_{hex:32}'],
  ['Coralogix', 'cxtp_{alnum:30}'],
  ['Coralogix, team', 'cxtt_{alnum:30}'],
  ['Coralogix, user', 'cxup_{alnum:30}'],
  ['Dynatrace platform', 'dt0s16.{base32:8}.{base32:64}'],
  ['FireHydrant', 'fhb-{hex:32}'],
  ['Grafana service account', 'glsa_{alnum:32}_{anyhex:8}'],
  ['Grafana, older', 'eyJrIjoi{base64:60,400}'],
  ['Honeycomb', 'hcaik_{lower:58}'],
  ['Honeycomb management', 'hcamk_{lower:58}'],
  ['incident.io', 'inc_{hex:64}'],
  ['Mezmo', 'sts_{hex:32}'],
  ['Statsig', 'secret-{alnum:43}'],
  ['UptimeRobot', 'ur{digit:6,8}-{hex:24}'],
];

/** Mail, chats and calls. */
export const messagingTokens: readonly TokenRow[] = [
  ['Brevo SMTP', 'xsmtpsib-{hex:64}-{alnum:16}'],
  ['Courier', 'pk_prod_{upper:28}'],
  ['Intercom', 'dG9rO{base64:54}='],
  ['Klaviyo', 'pk_{hex:34}'],
  ['Klaviyo, newer', 'pk_{alnum:6}_{hex:34}'],
  ['Mandrill', 'md-{url:22}'],
  ['OneSignal application', 'os_v2_app_{lower:103}'],
  ['OneSignal organisation', 'os_v2_org_{lower:103}'],
  ['PubNub', 'sec-c-{base64:40,48}'],
  ['Resend', 're_{alnum:8}_{alnum:24}'],
  ['Twilio', 'SK{anyhex:32}'],
  ['Slack cookie', 'xoxd-{url:60,300}'],
];

/** Payments, shops, money and its exchanges. */
export const paymentTokens: readonly TokenRow[] = [
  ['Brex', 'bxt_{alnum:30,64}'],
  ['Checkout.com', 'sk_sbox_{lower:26,40}'],
  ['Duffel', 'duffel_live_{url:43}'],
  ['Duffel test', 'duffel_test_{url:43}'],
  ['Lob', 'live_{hex:35}'],
  ['Lob test', 'test_{hex:35}'],
  ['Mercury', 'secret-token:mercury_production_{alnum:16}_{alnum:30,60}'],
  ['Mollie test', 'test_{alnum:30}'],
  ['Paddle', 'pdl_live_apikey_{lower:26}_{alnum:22}_{alnum:3}'],
  ['Paddle sandbox', 'pdl_sdbx_apikey_{lower:26}_{alnum:22}_{alnum:3}'],
  ['Plaid', 'access-production-{uuid}'],
  ['Plaid sandbox', 'access-sandbox-{uuid}'],
  ['Plaid development', 'access-development-{uuid}'],
  ['Ramp', 'ramp_sec_{alnum:40,60}'],
  ['Razorpay', 'rzp_live_{alnum:14}'],
  ['Razorpay test', 'rzp_test_{alnum:14}'],
  ['Revolut', 'oa_prod_{url:43}'],
  ['Revolut sandbox', 'oa_sand_{url:43}'],
  ['Shippo', 'shippo_live_{hex:40}'],
  ['Shippo test', 'shippo_test_{hex:40}'],
  ['Shopify partner', 'prtapi_{hex:32}'],
  ['Stripe organisation', 'sk_org_live_{alnum:24,120}'],
  ['WooCommerce key', 'ck_{hex:40}'],
  ['WooCommerce secret', 'cs_{hex:40}'],
];

/** Who somebody is, what a team works with, and everything else that offices rent. */
export const officeTokens: readonly TokenRow[] = [
  ['Atlassian service', 'ATSTT3xFfGF0{url:100,200}={upper:8}'],
  ['Authress', 'sc_{lower:5,30}.{lower:4,6}.acc_{lower:10,32}.{base64:30,120}'],
  ['Cal.com', 'cal_live_{hex:32}'],
  ['ClickUp', 'pk_{digit:6,9}_{upper:32}'],
  ['Close', 'api_{alnum:22}.{alnum:22}'],
  ['Facebook', 'EAAG{alnum:80,300}'],
  ['Facebook, older', 'EAACEdEose0cBA{alnum:20,300}'],
  ['hCaptcha', 'ES_{hex:32}'],
  ['Instagram', 'IGQV{url:120,300}'],
  ['JumpCloud', 'jca_{alnum:36}'],
  ['Linear, OAuth', 'lin_oauth_{hex:64}'],
  ['LinkedIn', 'WPL_AP1.{alnum:16}.{base64:6,10}=='],
  ['LocationIQ', 'pk.{hex:32}'],
  ['Onfido', 'api_live.{url:11}.{url:32}'],
  ['Onfido sandbox', 'api_sandbox.{url:11}.{url:32}'],
  ['Pinterest', 'pina_{upper:60,120}'],
  ['SettleMint', 'sm_aat_{alnum:16}'],
  ['SettleMint personal', 'sm_pat_{alnum:16}'],
  ['SettleMint service', 'sm_sat_{alnum:16}'],
  ['Stytch', 'secret-live-{url:36,60}'],
  ['Stytch test', 'secret-test-{url:36,60}'],
  ['Sumsub', 'prd:{alnum:24}.{alnum:32}'],
  ['Sumsub sandbox', 'sbx:{alnum:24}.{alnum:32}'],
  ['Trello', 'ATTA{hex:64,76}'],
  ['Turnstile', '0x4AAAAAAA{url:20,30}'],
  ['Zoho', '1000.{hex:32}.{hex:32}'],
];

/** Things with a radio, and what they report to. */
export const deviceTokens: readonly TokenRow[] = [
  ['Adafruit IO', 'aio_{alnum:28}'],
  ['Firebase messaging', 'AAAA{url:7}:APA91b{url:134,140}'],
  ['Proxmox VE', 'PVEAPIToken={lower:2,20}@{lower:2,10}!{lower:2,20}={uuid}'],
  ['Samsara', 'samsara_api_{alnum:30}'],
  ['The Things Network', 'NNSXS.{base32:39}.{base32:52}'],
  ['Ubidots', 'BBFF-{alnum:30}'],
  ['Ubidots, newer', 'BBUS-{alnum:30}'],
];
