import { renderPolicyFileSchema } from '../packages/contracts/src/policy-file-schema.ts';
import { saveGenerated } from './generated-file.ts';

saveGenerated('docs/generated/policy-file.schema.json', renderPolicyFileSchema());
