import { runProcess } from '@portcullis/platform/lifecycle/run-process';
import { createProxyRuntimeService } from './service.ts';

await runProcess({ name: 'proxy-runtime', services: [createProxyRuntimeService] });
