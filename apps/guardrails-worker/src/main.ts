import { runProcess } from '@portcullis/platform/lifecycle/run-process';
import { createGuardrailsWorkerService } from './service.ts';

await runProcess({ name: 'guardrails-worker', services: [async () => createGuardrailsWorkerService] });
