import { runProcess } from '@portcullis/platform/lifecycle/run-process';

await runProcess({ name: 'notifier', services: [async () => (await import('./service.ts')).createNotifierService] });
