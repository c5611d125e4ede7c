import { slugOf } from '../../compiler/report/fields/blocks.js'
import { referencePath } from './reference-path.js'
import { sentenceOf, type Shape } from '../../compiler/shape/field.js'

/** The fields of a block, a line each, and how to ask for more of one. */
export function blockFields(shape: Shape): string {
  const fields = Object.entries(shape.fields)
  const widest = Math.max(...fields.map(([name]) => name.length))
  const lines = fields.map(([name, field]) => `  ${name.padEnd(widest)}  ${sentenceOf(field)}\n`)
  return `Fields of ${shape.title}; \`svc explain ${slugOf(shape)}.${fields[0]![0]}\` says more of one:\n\n${lines.join('')}\n${referencePath(`reference/manifest/${slugOf(shape)}.md`)}\n`
}
