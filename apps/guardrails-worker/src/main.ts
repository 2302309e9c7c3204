import { runProcess } from '@portcullis/platform/hosting/run-process';

await runProcess({
  name: 'guardrails-worker',
  services: [async () => (await import('./service.ts')).createGuardrailsWorkerService],
});
