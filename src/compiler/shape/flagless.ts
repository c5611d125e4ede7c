/** Source of a pattern without its flags, which JSON Schema lacks: both cases of a letter where the pattern takes both. */
export const flagless = ({ source, ignoreCase }: RegExp): string =>
  ignoreCase
    ? source.replaceAll(/\\.|\[[^\]]*\]|[a-z]/gu, (part) =>
        part.length === 1 ? `[${part}${part.toUpperCase()}]` : part.replace('a-z', 'a-zA-Z'),
      )
    : source
