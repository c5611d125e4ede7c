import { INSTEAD, KEYWORDS } from '../../compiler/rules/facts/schemas/keywords.js'
import { referencePath } from './reference-path.js'

/** Explains a schema keyword, or names its replacement; undefined for an unknown keyword. */
export function keywordExplanation(wanted: string): string | undefined {
  const keyword = KEYWORDS.get(wanted)
  const instead = INSTEAD.get(wanted)
  if (keyword === undefined && instead === undefined) return undefined
  const bounds = keyword?.bounds === undefined ? '' : ` It bounds values of type ${keyword.bounds.join(' and ')}.`
  const [kind, text] =
    keyword === undefined
      ? ['no keyword of `x-schema` and `x-schemas`', instead]
      : ['a keyword of `x-schema` and `x-schemas`', `It takes ${keyword.takes}.${bounds}`]
  return `# ${wanted}\n\n${kind}\n\n${text}\n\n${referencePath('guides/values.md')}\n`
}

/** The names of all keywords, for a hint. */
export const keywordNames = (): readonly string[] => [...KEYWORDS.keys()]
