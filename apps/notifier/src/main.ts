import { runProcess } from '@portcullis/platform/hosting/run-process';

await runProcess({ name: 'notifier', services: [async () => (await import('./service.ts')).createNotifierService] });
