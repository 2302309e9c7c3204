import type { GuardrailConfig } from '@portcullis/contracts/guardrail-config';
import { highestScore, listAt, numberAt, propertyOf, shareOf, textAt, valueAt } from './answer-value.ts';
import {
  below,
  harmless,
  postJson,
  UnreadableAnswer,
  type GuardrailAdapter,
  type GuardrailResult,
} from './guardrail-adapter.ts';
import { joinTexts, type GuardrailQuestion } from './guardrail-question.ts';

const highestSeverity = 7;
const attacks = ['user_prompt_attack', 'document_attack'] as const;

/** Azure's text analysis, with severities from 0 to 7, and its prompt shields. */
export const azureContentSafety: GuardrailAdapter<'azure_content_safety'> = {
  maxCharacters: 10_000,

  buildRequests({ config, credentials }, question) {
    const post = (operation: string, body: unknown) =>
      postJson(below(config.base_url, `contentsafety/text:${operation}?api-version=${config.api_version}`), body, {
        'ocp-apim-subscription-key': credentials.api_key,
      });
    return config.checks.flatMap((check) => {
      if (check === 'analyze') return [post('analyze', analysisOf(config, question))];
      return question.direction === 'request' ? [post('shieldPrompt', shieldOf(question))] : [];
    });
  },

  readAnswer({ config }, answer) {
    if (
      propertyOf(answer, 'userPromptAnalysis') !== undefined ||
      Array.isArray(propertyOf(answer, 'documentsAnalysis'))
    )
      return readShield(answer);
    if (Array.isArray(propertyOf(answer, 'categoriesAnalysis'))) return readAnalysis(config, answer);
    throw new UnreadableAnswer('The answer has neither categoriesAnalysis nor userPromptAnalysis');
  },
};

const analysisOf = (config: GuardrailConfig<'azure_content_safety'>, question: GuardrailQuestion) => ({
  text: joinTexts(question),
  categories: config.categories,
  outputType: 'EightSeverityLevels',
  ...(config.blocklists.length > 0 && { blocklistNames: config.blocklists, haltOnBlocklistHit: false }),
});

/** What tools and files say is a document, the rest what the user says. */
function shieldOf({ messages }: GuardrailQuestion) {
  const textsOf = (isDocument: boolean) =>
    messages.filter(({ role }) => (role === 'tool') === isDocument).map(({ text }) => text);
  const documents = textsOf(true);
  return {
    userPrompt: textsOf(false).join('\n\n'),
    documents: documents.length === 0 ? [] : [documents.join('\n\n')],
  };
}

function readAnalysis(
  { severity_threshold: threshold }: GuardrailConfig<'azure_content_safety'>,
  answer: unknown,
): GuardrailResult {
  const scores: Record<string, number> = {};
  const categories: string[] = [];
  for (const item of listAt(answer, 'categoriesAnalysis')) {
    const [category, severity] = [textAt(item, 'category'), numberAt(item, 'severity')];
    if (category === undefined || severity === undefined) throw new UnreadableAnswer('A category has no severity');
    scores[category] = shareOf(severity / highestSeverity);
    if (severity >= threshold) categories.push(category);
  }
  for (const match of listAt(answer, 'blocklistsMatch')) {
    const name = `blocklist:${textAt(match, 'blocklistName') ?? ''}`;
    if (scores[name] === undefined) categories.push(name);
    scores[name] = 1;
  }
  const flagged = categories.length > 0;
  return { ...harmless, flagged, categories, scores, confidence: flagged ? highestScore(scores, categories) : null };
}

/** A shield says yes or no, without a degree. */
function readShield(answer: unknown): GuardrailResult {
  const found = [
    valueAt(answer, 'userPromptAnalysis.attackDetected') === true,
    listAt(answer, 'documentsAnalysis').some((each) => propertyOf(each, 'attackDetected') === true),
  ];
  const categories = attacks.filter((_, index) => found[index]);
  return {
    ...harmless,
    flagged: categories.length > 0,
    categories,
    scores: Object.fromEntries(attacks.map((name, index) => [name, Number(found[index])])),
  };
}
