/** Texts that a classifier is asked about. */
export interface ClassifierQuestion {
  readonly id: number;
  readonly texts: readonly string[];
  /** Of one window, with those that the model puts around it. */
  readonly maxTokens: number;
  readonly maxWindows: number;
  /** After this time, in milliseconds since 1970, the asker is gone. */
  readonly untilMs: number;
}

/** What the classifier says of each window of the texts. */
export interface Classification {
  /** Names of the classes, from `id2label` of config.json. */
  readonly labels: readonly string[];
  /** A share for each class, window after window. */
  readonly windows: readonly (readonly number[])[];
  /** Whether classes exclude each other, so that the shares of a window add up to 1. */
  readonly exclusive: boolean;
  /** Tokens of the texts that were judged. */
  readonly tokens: number;
  /** All of the texts was judged. */
  readonly whole: boolean;
}

export type ClassifierAnswer =
  | ({ readonly id: number } & Classification)
  /** `fatal`: the model could not be opened, and the thread ends. */
  | { readonly id: number; readonly problem: string; readonly fatal: boolean };

/** What a thread opens. */
export interface ClassifierSource {
  /** Folder of the model. */
  readonly folder: string;
  /** The ONNX file, relative to it. */
  readonly file: string;
  readonly maxBytes: number;
  /** Threads of the processor that one run may use. */
  readonly threads: number;
}

export interface ClassifierThreadData {
  readonly source: ClassifierSource;
  /** The question with the id in it is given up. */
  readonly givenUp: Int32Array<SharedArrayBuffer>;
}
