import { runProcess } from '@portcullis/platform/lifecycle/run-process';
import { createNotifierService } from './service.ts';

await runProcess({ name: 'notifier', services: [async () => createNotifierService] });
