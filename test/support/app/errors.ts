interface WrittenError {
  readonly name?: string;
  readonly value?: string;
  readonly remedy?: string;
}

/** @returns the errors of a problem without what follows from the rest, for tests about the rest */
export const essentials = (errors: readonly WrittenError[] = []): readonly object[] =>
  errors.map(({ name: _, value: __, remedy: ___, ...rest }) => rest);
