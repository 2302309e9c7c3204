import type { Artifact, StreamEvent, Task } from '@portcullis/core/a2a/task';

/** How much of what an artifact said is read together with what is added to it. */
const maxLength = 4_096;

/**
 * What artifacts said before their first update in a stream: in the task as it was kept, or as the agent told it. An update goes
 * on with it, so policies have to read both together.
 */
export class ArtifactTexts {
  readonly #byArtifact = new Map<string, string>();

  constructor(task: Task | undefined) {
    this.#note(task);
  }

  /** What stands before the texts of an event; the same is answered once. */
  before(event: StreamEvent): string | undefined {
    if ('task' in event) this.#note(event.task);
    if (!('artifactUpdate' in event)) return undefined;
    const { artifact, append } = event.artifactUpdate;
    const known = this.#byArtifact.get(artifact.artifactId);
    this.#byArtifact.delete(artifact.artifactId);
    return append === true ? known : undefined;
  }

  #note(task: Task | undefined): void {
    for (const artifact of task?.artifacts ?? []) this.#byArtifact.set(artifact.artifactId, endOf(artifact));
  }
}

/** The end of its texts, as a reader that puts its parts together has it. */
function endOf({ parts }: Artifact): string {
  let text = '';
  for (const part of parts.toReversed()) {
    if ('text' in part) text = part.text + text;
    if (text.length >= maxLength) return text.slice(-maxLength);
  }
  return text;
}
