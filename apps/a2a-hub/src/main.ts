import { runProcess } from '@portcullis/platform/lifecycle/run-process';
import { createA2aHubService } from './service.ts';

await runProcess({ name: 'a2a-hub', services: [async () => createA2aHubService] });
