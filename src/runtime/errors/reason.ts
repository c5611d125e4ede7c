/** The text of an error, for the log alone: a caller never reads it. */
export const reasonOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : typeof error
