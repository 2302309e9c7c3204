import { runProcess } from '@portcullis/platform/hosting/run-process';

await runProcess({ name: 'skill-hub', services: [async () => (await import('./service.ts')).createSkillHubService] });
