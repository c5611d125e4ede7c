import { blocksOf } from '../../compiler/report/fields/blocks.js'
import { fieldText } from '../../compiler/report/fields/texts.js'

/** The fields that take a word, and what happens where one says it; undefined where no field does. */
export function wordExplanation(wanted: string): string | undefined {
  const places = blocksOf().flatMap(({ shape, slug, path }) =>
    Object.keys(shape.fields).flatMap((field) => {
      const words = fieldText(shape.title, field)?.words ?? {}
      if (!Object.hasOwn(words, wanted)) return []
      return [
        `A value of \`${path === '' ? '' : `${path}.`}${field}\`. ${words[wanted]}\n\n  svc explain ${slug}.${field}`,
      ]
    }),
  )
  return places.length === 0 ? undefined : `# ${wanted}\n\n${places.join('\n\n')}\n`
}
