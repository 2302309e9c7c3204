import { serveTrials } from '@portcullis/platform/trials/trial-bus';
import type { TrialQuestion } from '@portcullis/platform/trials/trial-bus';
import type { TestManagement } from './start-management.ts';

/** A runtime that refuses whatever it is to try. */
export const answerTrials = (
  { infrastructure }: Pick<TestManagement, 'infrastructure'>,
  asked: TrialQuestion[] = [],
): Promise<AsyncDisposable> =>
  serveTrials(infrastructure, {
    serves: () => true,
    run(question) {
      asked.push(question);
      return Promise.resolve({
        trial: true,
        request_id: question.id,
        proxy: { id: question.proxyId, name: 'proxy', type: 'llm' },
        outcome: 'refused',
        refused_by: 'check-access',
        error_code: 'FORBIDDEN',
        message: 'API key does not have access to this proxy',
        stages: [],
        findings: [],
        findings_total: 0,
        forwarded: null,
        answer: null,
        duration_ms: 1,
      });
    },
    onFault(error) {
      throw error;
    },
  });
