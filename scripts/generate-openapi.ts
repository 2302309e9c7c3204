import { renderManagementOpenApi } from '../packages/contracts/src/management-openapi.ts';
import { version } from '../packages/platform/src/process/version.ts';
import { saveGenerated } from './generated-file.ts';

saveGenerated('docs/generated/openapi.json', renderManagementOpenApi(version));
