import { expect, test } from '@jest/globals';
import { foldAnswer } from '@portcullis/core/evaluation/judge/refusal/fold-answer';
import { readByPhrases } from '@portcullis/core/evaluation/judge/refusal/read-stance';
import { fewestFeatures, hashFeature, stanceFeatures } from '@portcullis/core/evaluation/judge/refusal/stance-features';
import { slotOf, Weights } from '@portcullis/core/policy/detectors/linear-classifier/weights';
import { readFileSync } from 'node:fs';
import { stanceFile } from '../training-inputs.ts';
import { trainedAnswers } from './judged-responses.ts';
import { renderStance, trainStance } from './train-stance.ts';

test('the table of the judge comes out of training byte for byte, and of no answer that is held out', () => {
  const answers = trainedAnswers();
  expect(answers.length).toBeGreaterThan(700);
  expect(answers.every(({ half }) => half === 'tuned')).toBe(true);
  expect(renderStance(answers)).toBe(readFileSync(stanceFile, 'utf8'));
});

test('words tell refusals of a source that was left out of the training, in every tenth source together', () => {
  const answers = trainedAnswers();
  const sources = [...new Set(answers.map(({ source }) => source))];
  const out = new Set(sources.filter((_, index) => index % 10 === 3));
  const file = trainStance(answers.filter(({ source }) => !out.has(source)));
  const table = new Weights(file);
  const isRight = answers
    .filter(({ source }) => out.has(source))
    .map(({ text, isRefusal }) => {
      const known = stanceFeatures(foldAnswer(text), readByPhrases(text))
        .map((feature) => table.weights[slotOf(hashFeature(feature), file.bits)] ?? 0)
        .filter((weight) => weight !== 0);
      const sum = known.reduce((one, other) => one + other, 0);
      return table.probability(sum, Math.max(fewestFeatures, known.length)) >= 0.5 === isRefusal;
    });
  expect(isRight.filter(Boolean).length / isRight.length).toBeGreaterThan(0.9);
});
