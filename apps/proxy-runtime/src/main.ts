import { runProcess } from '@portcullis/platform/lifecycle/run-process';
import { createProxyRuntimeService } from './service.ts';

await runProcess({
  name: 'proxy-runtime',
  services: [async () => createProxyRuntimeService],
  // It serves from the last good snapshot, which it keeps on disk.
  startsWithoutDatabase: true,
});
