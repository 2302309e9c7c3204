import { runProcess } from '@portcullis/platform/lifecycle/run-process';

await runProcess({ name: 'skill-hub', services: [async () => (await import('./service.ts')).createSkillHubService] });
