import { runProcess } from '@portcullis/platform/hosting/run-process';
import { version } from '@portcullis/platform/process/version';
import { buildConsole } from './build-console.ts';
import { renderWelcome } from './welcome.ts';

/** Set when this start made up the admin's password. */
let firstAdmin: { readonly username: string; readonly password: string } | undefined;

await runProcess({
  name: 'gateway',
  standalone: true,
  async prepare({ database, log }) {
    const { saveBuiltinPolicies } = await import('@portcullis/platform/policies/save-builtin-policies');
    await saveBuiltinPolicies(database, log);
  },
  // The proxies answer first: after a crash traffic waits for them, and for nothing else.
  services: [
    async () => (await import('@portcullis/proxy-runtime/service')).createProxyRuntimeService,
    async () => {
      const { createManagementService } = await import('@portcullis/management-api/service');
      const options = { onFirstAdmin: (admin: typeof firstAdmin) => void (firstAdmin = admin) };
      return (infrastructure) => createManagementService(infrastructure, options);
    },
    async () => (await import('@portcullis/notifier/service')).createNotifierService,
    async () => (await import('@portcullis/a2a-hub/service')).createA2aHubService,
    async () => (await import('@portcullis/skill-hub/service')).createSkillHubService,
    async () => (await import('@portcullis/guardrails-worker/service')).createGuardrailsWorkerService,
  ],
  onReady({ infrastructure, edge }) {
    const { config, dataDirectory, log } = infrastructure;
    if (config.CONSOLE === 'on') buildConsole(log);
    process.stdout.write(
      renderWelcome({
        version,
        secure: config.TLS_CERT_FILE !== undefined,
        host: config.HOST,
        port: edge?.port ?? config.PORT,
        dataDirectory,
        username: firstAdmin?.username ?? config.ADMIN_USERNAME,
        password: firstAdmin?.password,
      }),
    );
  },
});
