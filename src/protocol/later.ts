/**
 * Makes a value when it is first asked for, once. For tables and patterns that most runs never ask for: each takes its
 * microseconds, and a command that starts a hundred times a day pays them a hundred times.
 */
export function later<T extends {}>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}
