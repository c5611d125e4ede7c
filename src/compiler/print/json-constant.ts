import type { Writer } from './typescript.js'

/**
 * Writes a constant as JSON text in parts, one a line. Text costs a type checker nothing, and comes back as it was
 * written.
 */
export function printJsonConstant(writer: Writer, name: string, type: string, parts: readonly string[]): void {
  writer.writeLine(`export const ${name}: ${type} = JSON.parse(`)
  writer.indent(() => {
    writer.writeLine('[')
    writer.indent(() => parts.forEach((part) => writer.writeLine(`${part},`)))
    writer.writeLine("].join(''),")
  })
  writer.writeLine(`) as ${type}`)
}
