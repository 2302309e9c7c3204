import { exampleOf } from '../../detectors/tokens/token-example.fixture.ts';
import { glue, uuid } from './made-up-tokens.fixture.ts';
import type { RuleFixture } from './rule-fixture.ts';

const some = (shape: string, seed = 1): string => exampleOf(shape, seed);
const id = some('{uuid}');

/** One address of each service; their look-alikes end before the secret begins. */
export const addressFixture: Readonly<Record<string, RuleFixture>> = {
  'webhook-address': {
    matches: [
      `https://hooks.airtable.com/workflows/v1/genericWebhook/app${some('{alnum:14}')}/wfl${some('{alnum:14}')}/wtr${some('{alnum:14}')}`,
      `https://hooks.chime.aws/incomingwebhooks/${id}?token=${some('{alnum:60}')}`,
      `https://prod-12.westeurope.logic.azure.com:443/workflows/${some('{hex:32}')}/triggers/manual/paths/invoke?sv=1.0&sig=${some('{url:43}')}`,
      `https://kettle.azurewebsites.net/api/orders?code=${some('{base64:54}')}==`,
      `https://api.day.app/${some('{alnum:22}')}/hello`,
      `https://api.datadoghq.com/api/v1/events?api_key=${some('{hex:32}')}`,
      `https://oapi.dingtalk.com/robot/send?access_token=${some('{hex:64}')}`,
      glue`https://dis·cord.com/api/webhooks/${some('{digit:18}', 7)}/${some('{url:68}')}`,
      `https://open.feishu.cn/open-apis/bot/v2/hook/${id}`,
      glue`https://chat.googleapis.com/v1/spaces/AAAA${some('{url:7}')}/messages?key=AI·za${some('{url:35}')}&token=${some('{url:43}')}`,
      `https://calendar.google.com/calendar/ical/ann.lee%40post.test/private-${some('{hex:32}')}/basic.ics`,
      `https://hc-ping.com/${id}`,
      `https://maker.ifttt.com/trigger/kettle/with/key/${some('{url:43}')}`,
      `https://logs-01.loggly.com/inputs/${id}/tag/http`,
      `https://hook.eu1.make.com/${some('{lower:32}')}`,
      `https://chat.house.test/hooks/${some('{lower:26}')}`,
      `https://api.opsgenie.com/v1/json/house?apiKey=${id}`,
      `https://events.pagerduty.com/integration/${some('{hex:32}')}/enqueue`,
      `https://sctapi.ftqq.com/SCT${some('{alnum:30}')}.send`,
      glue`https://hooks.sl·ack.com/services/T${some('{upper:8}')}/B${some('{upper:8}')}/${some('{alnum:24}')}`,
      `https://house.splunkcloud.com:8088/services/collector/raw?token=${id}`,
      `https://collectors.collection.eu.sumologic.com/receiver/v1/http/${some('{alnum:80}')}==`,
      `https://house.webhook.office.com/webhookb2/${id}@${uuid}/IncomingWebhook/${some('{hex:32}')}`,
      `https://api.telegram.org/bot${some('{digit:9}', 5)}:AA${some('{url:33}')}/getMe`,
      `https://webexapis.com/v1/webhooks/incoming/${some('{url:76}')}`,
      `https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=${id}`,
      `https://hooks.zapier.com/hooks/catch/${some('{digit:7}')}/${some('{lower:7}')}`,
    ],
    misses: [
      'https://hooks.zapier.com/hooks/catch/',
      'https://open.feishu.cn/open-apis/bot/v2/hook/xxxx',
      'https://maker.ifttt.com/trigger/{event}/with/key/{key}',
      'hooks are in src/hooks/use-state',
      'https://api.telegram.org/bot<token>/getMe',
    ],
  },
  'keyed-address': {
    matches: [
      `https://eth-mainnet.g.alchemy.com/v2/${some('{url:32}')}`,
      `https://rpc.ankr.com/eth/${some('{hex:64}')}`,
      `https://io.adafruit.com/api/v2/ann/feeds?x-aio-key=aio_${some('{alnum:28}')}`,
      `https://blynk.cloud/external/api/update?token=${some('{url:32}', 2)}`,
      `https://api.particle.io/v1/devices?access_token=${some('{hex:40}')}`,
      `https://api.thingspeak.com/update?api_key=${some('{upper:16}')}&field1=0`,
      `https://thingsboard.cloud/api/v1/${some('{lower:20}')}/telemetry`,
      `wss://mainnet.infura.io/ws/v3/${some('{hex:32}')}`,
      `https://site1.moralis-nodes.com/eth/${some('{hex:24}')}`,
      `https://quiet-lake.quiknode.pro/${some('{hex:40}')}/`,
      `https://api.openweathermap.org/data/2.5/weather?q=Ulm&appid=${some('{hex:32}')}`,
      `cloudinary://${some('{digit:15}', 5)}:${some('{url:27}')}@house`,
      `https://storage.googleapis.com/a/b?X-Goog-Date=1&X-Goog-Signature=${some('{hex:256}')}`,
      `https://a.s3.amazonaws.com/b?X-Amz-Date=1&X-Amz-Signature=${some('{hex:64}')}`,
      `https://d1.cloudfront.net/a?Expires=1&Signature=${some('{url:300}')}&Key-Pair-Id=K${some('{upper:13}')}`,
      `otpauth://totp/House:ann?issuer=House&secret=${some('{base32:32}')}`,
      `DOTENV_KEY=dotenv://:key_${some('{hex:64}')}@dotenv.org/vault/.env.vault`,
    ],
    misses: [
      'https://mainnet.infura.io/v3/YOUR-PROJECT-ID',
      'https://eth-mainnet.g.alchemy.com/v2/',
      'otpauth://totp/House:ann?secret=',
    ],
  },
};
