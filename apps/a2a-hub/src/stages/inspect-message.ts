import { isTaskText } from '@portcullis/core/a2a/task-texts';
import { JsonChanges } from '@portcullis/core/json/splice-json';
import { omitUndefined } from '@portcullis/core/json/omit-undefined';
import { stringsIn } from '@portcullis/core/json/visit-strings';
import { Placeholders } from '@portcullis/core/policy/redaction/placeholders';
import { rewriteText } from '@portcullis/core/policy/redaction/text-rewriter';
import { createInspectRequest } from '@portcullis/platform/inspection/inspect-request';
import type { RequestTexts } from '@portcullis/platform/inspection/request-texts';
import { rewriteTask } from '@portcullis/platform/inspection/task-content';
import { TextContext, workOfBody } from '@portcullis/platform/inspection/text-context';
import type { SendCall } from '@portcullis/core/a2a/call';
import type { Invocation } from '../invocation/invocation.ts';
import { textFacts } from '../invocation/text-facts.ts';

/** What of a call goes to the agent in its caller's words. */
const spokenIn = ({ message, metadata, acceptedOutputModes }: SendCall) =>
  omitUndefined({ message, metadata, acceptedOutputModes });

const sendOf = ({ asked }: Invocation): SendCall | undefined =>
  asked !== undefined && 'message' in asked.call ? asked.call : undefined;

/** The texts of a message to an agent: every part of every kind, names of files, addresses, data and metadata. */
function messageTexts(invocation: Invocation, call: SendCall): RequestTexts {
  const scanned = { value: spokenIn(call), isText: isTaskText };
  return {
    findings: invocation.findings,
    size: invocation.requestBytes,
    context: new TextContext(textFacts(invocation, 'request'), workOfBody()),
    isReadable: () => true,
    scan: (scan) => scan.scanValue(scanned),
    scanCooperatively: (scan) => scan.scanValueCooperatively(scanned),
    *redact(texts) {
      const written = [...stringsIn(scanned.value)].flatMap((place) => place?.text ?? []);
      const placeholders = new Placeholders(() => written);
      const changes = new JsonChanges();
      for (const { place, text, findings } of texts) {
        changes.set(place.path, place.isKey, rewriteText(text, findings, placeholders, { side: 'request' }));
        yield;
      }
      invocation.replaceCall({ ...call, ...rewriteTask(scanned.value, { changes, numbers: [] }) });
      invocation.placeholders = placeholders;
    },
  };
}

/** Runs the policies for agents over a message, and hides from the agent what they want hidden. */
export const inspectMessage = createInspectRequest<Invocation>(
  (invocation) => (sendOf(invocation) === undefined ? undefined : invocation.snapshot.policies.plan),
  (invocation) => messageTexts(invocation, sendOf(invocation) as SendCall),
);
