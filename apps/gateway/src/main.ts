import { createA2aHubService } from '@portcullis/a2a-hub/service';
import { createManagementService } from '@portcullis/management-api/service';
import { createNotifierService } from '@portcullis/notifier/service';
import { runProcess } from '@portcullis/platform/lifecycle/run-process';
import { version } from '@portcullis/platform/lifecycle/version';
import { createProxyRuntimeService } from '@portcullis/proxy-runtime/service';
import { renderWelcome } from './welcome.ts';

/** Set when this start made up the admin's password. */
let firstAdmin: { readonly username: string; readonly password: string } | undefined;

await runProcess({
  name: 'gateway',
  standalone: true,
  services: [
    (infrastructure) => createManagementService(infrastructure, { onFirstAdmin: (admin) => (firstAdmin = admin) }),
    createProxyRuntimeService,
    createNotifierService,
    createA2aHubService,
  ],
  onReady({ infrastructure, edge }) {
    const { config, dataDirectory } = infrastructure;
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
