/** A part of the tests that a tag names: by a configuration of vitest, by folders, or by a script with its words. */
export interface Tag {
  readonly about: string
  readonly config?: string
  readonly folders?: readonly string[]
  readonly script?: readonly string[]
}

export const TAGS: Readonly<Record<string, Tag>>
