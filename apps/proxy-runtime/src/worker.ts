import { readyMessage } from '@portcullis/platform/process/worker-pool';
import { runProcess } from '@portcullis/platform/hosting/run-process';
import { createChannelSlots } from './workers/channel-slots.ts';
import { createDataPlane } from './service.ts';
import { createChannelReporter } from './workers/channel-reporter.ts';
import { reportHealth } from './workers/report-health.ts';
import { openSupervisorChannel } from './workers/worker-messages.ts';

const worker = Number(process.argv[2]);
const channel = openSupervisorChannel();

await runProcess({
  name: `proxy-runtime-worker-${worker}`,
  supervised: true,
  services: [
    async () => (infrastructure) =>
      reportHealth(
        createDataPlane(infrastructure, {
          worker,
          createReporter: (stats) => createChannelReporter(channel, stats),
          slots: createChannelSlots(channel),
          news: {
            send: (news) => channel.send({ kind: 'target', news }),
            onHeard: (listener) => channel.onNews(listener),
          },
        }),
        channel,
      ),
  ],
  startsWithoutDatabase: true,
  onReady: () => process.send?.(readyMessage),
});
