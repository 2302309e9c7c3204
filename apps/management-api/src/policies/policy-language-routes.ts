import { renderPolicyFileSchema } from '@portcullis/contracts/policy-file-schema';
import { getPolicySchema, listPolicyDetectors } from '@portcullis/contracts/routes/policy-language';
import { detectorCatalogue } from '@portcullis/core/policy/plan/detector-catalogue';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';

/** What authors may write, for editors. */
export function policyLanguageRoutes(): BoundRoute[] {
  const schema = JSON.parse(renderPolicyFileSchema()) as Record<string, unknown>;
  const detectors = [...detectorCatalogue.values()]
    .map(({ name, type, kind, description }) => ({ name, type, kind, description }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return [
    bind(getPolicySchema, async () => ({ data: schema })),
    bind(listPolicyDetectors, async () => ({ data: detectors })),
  ];
}
