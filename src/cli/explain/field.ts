import type { ManifestBlock } from '../../compiler/report/fields/blocks.js'
import { referencePath } from './reference-path.js'
import { rulesOfFields } from './rules-of-fields.js'

/** Explains a field of the manifest as its reference page does; undefined for an unknown field. */
export async function fieldExplanation(wanted: string): Promise<string | undefined> {
  const { blocksOf, innerOf } = await import('../../compiler/report/fields/blocks.js')
  const { exampleSection, fieldSection, withoutLinks } = await import('../../compiler/report/fields/field-page.js')
  const { ruleOf } = await import('../../compiler/rules/index.js')
  const { blockFields } = await import('./block-fields.js')
  const whole = blocksOf().find(({ slug }) => slug === wanted.replaceAll('_', '-'))
  const { block, field } = partsOf(wanted)
  const blocks = blocksOf().filter(({ shape, slug }) => Object.hasOwn(shape.fields, field) && isMeant(block, slug))
  if (blocks.length === 0) return whole === undefined ? undefined : await blockExplanation(whole)
  const rulesOf = rulesOfFields(ruleOf)
  const sections = blocks.map(({ shape, path, slug }) => {
    const section = withoutLinks(fieldSection(shape, field, rulesOf))
    const place = path === '' ? field : `${path}.${field}`
    const parts = innerOf(shape.fields[field]!).map((inner) =>
      [`\n${blockFields(inner.shape)}`, ...exampleSection(inner.shape.title)].join('\n'),
    )
    return `# ${place}\n\n${section}\n\n${referencePath(`reference/manifest/${slug}.md`)}\n${parts.join('')}`
  })
  return blocks.length <= MOST_SHOWN ? sections.join('\n') : choiceOf(field, blocks)
}

/** A block without the field that it stands in: what its fields are. */
async function blockExplanation({ shape, path, slug }: ManifestBlock): Promise<string> {
  const { blockFields } = await import('./block-fields.js')
  return `# ${slug}\n\nStands at \`${path}\`.\n\n${blockFields(shape)}`
}

/** More of them are a list to choose from. */
const MOST_SHOWN = 3

const choiceOf = (field: string, blocks: readonly ManifestBlock[]): string =>
  [
    `\`${field}\` is a field of several blocks. Name one:`,
    '',
    ...blocks.map(({ slug }) => `  svc explain ${slug}.${field}`),
    '',
  ].join('\n')

/** `resolution.mode` is `mode` of the block `resolution`; `capabilities.x.inputs.y.resolution.mode`, too. */
function partsOf(wanted: string): { readonly block: string | undefined; readonly field: string } {
  const parts = wanted.split('.')
  return { block: parts.at(-2), field: parts.at(-1) ?? '' }
}

const isMeant = (block: string | undefined, slug: string): boolean =>
  block === undefined || slug === block.replaceAll('_', '-') || slug === block.replaceAll('_', '-').replace(/s$/u, '')

/** The names of all fields, for a hint. */
export async function fieldNames(): Promise<readonly string[]> {
  const { blocksOf } = await import('../../compiler/report/fields/blocks.js')
  return [...new Set(blocksOf().flatMap(({ shape }) => Object.keys(shape.fields)))]
}
