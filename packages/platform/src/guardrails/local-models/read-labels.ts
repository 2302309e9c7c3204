/** Names of classes that mean no attack, in any case. */
const safeNames = new Set([
  'safe',
  'benign',
  'legit',
  'legitimate',
  'harmless',
  'normal',
  'clean',
  'no_injection',
  'not_injection',
  'label_0',
  '0',
]);

/** Names of the classes in the order of the model's figures, from `id2label` of config.json. */
export function readLabels(config: Readonly<Record<string, unknown>>): readonly string[] {
  const named = config['id2label'];
  const byId = typeof named === 'object' && named !== null ? (named as Readonly<Record<string, unknown>>) : {};
  const labels = Object.keys(byId).map((_, id) => byId[String(id)]);
  if (labels.length === 0 || labels.length > 1_000 || !labels.every((label) => typeof label === 'string'))
    throw new Error('config.json of the model names no classes in id2label');
  return labels;
}

/**
 * Which classes mean an attack: those asked for, or all whose name does not say that a text is fine.
 * @throws for names that the model does not have, and where the names say nothing
 */
export function findAttackLabels(labels: readonly string[], wanted: readonly string[]): readonly number[] {
  if (wanted.length > 0) {
    return wanted.map((name) => {
      const place = labels.findIndex((label) => label.toLowerCase() === name.toLowerCase());
      if (place === -1) throw new Error(`The model has no class ${name}; it has ${list(labels)}`);
      return place;
    });
  }
  const attacks = labels.flatMap((label, place) => (safeNames.has(label.toLowerCase()) ? [] : [place]));
  if (attacks.length === 0 || attacks.length === labels.length)
    throw new Error(`attack_labels must tell which classes mean an attack, of ${list(labels)}`);
  return attacks;
}

const list = (labels: readonly string[]): string => labels.slice(0, 20).join(', ');
