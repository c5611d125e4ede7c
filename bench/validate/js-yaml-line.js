/** Programs that read a manifest with a parser and check it against the published schema, compiled beforehand: the line that `svc validate` is measured against. */
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { Ajv } from 'ajv'
import standaloneCode from 'ajv/dist/standalone/index.js'

const root = resolve(import.meta.dirname, '../..')
const require = createRequire(join(root, 'package.json'))
export const schemaFile = join(root, 'schemas/manifest.schema.json')

/** Writes the program of a parser into a folder and gives the command that runs it. */
export function parserLine(folder, name, parse) {
  writeFileSync(join(folder, 'validator.cjs'), precompiled())
  const file = join(folder, `${name}.mjs`)
  writeFileSync(file, program(name, parse))
  return ['node', file]
}

function precompiled() {
  const ajv = new Ajv({ code: { source: true, esm: false }, strict: false })
  return standaloneCode.default(ajv, ajv.compile(JSON.parse(readFileSync(schemaFile, 'utf8'))))
}

function program(name, parse) {
  return `import { readFileSync } from 'node:fs'
import { ${parse} } from ${JSON.stringify(require.resolve(name).replace(/js-yaml\.cjs\.js$/u, 'js-yaml.mjs'))}
import validate from './validator.cjs'
const ok = validate(${parse}(readFileSync(process.argv[2], 'utf8')))
if (!ok) console.error(validate.errors)
process.exitCode = ok ? 0 : 1
`
}
