import { runProcess } from '@portcullis/platform/hosting/run-process';

await runProcess({ name: 'a2a-hub', services: [async () => (await import('./service.ts')).createA2aHubService] });
