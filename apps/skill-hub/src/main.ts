import { runProcess } from '@portcullis/platform/lifecycle/run-process';
import { createSkillHubService } from './service.ts';

await runProcess({ name: 'skill-hub', services: [async () => createSkillHubService] });
