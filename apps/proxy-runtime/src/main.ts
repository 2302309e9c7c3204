import { runProcess } from '@portcullis/platform/hosting/run-process';

await runProcess({
  name: 'proxy-runtime',
  services: [async () => (await import('./service.ts')).createProxyRuntimeService],
  // It serves from the last good snapshot, which it keeps on disk.
  startsWithoutDatabase: true,
});
