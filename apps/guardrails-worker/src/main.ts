import { runProcess } from '@portcullis/platform/lifecycle/run-process';

await runProcess({
  name: 'guardrails-worker',
  services: [async () => (await import('./service.ts')).createGuardrailsWorkerService],
});
