/** Makes code of our own templates, so that `svc init` and `svc import` compile none of them. */
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { checkTemplate } from '../dist/cli/init/templates/check-template.js'
import { codeOfTemplate, parsedTemplate } from '../dist/cli/init/templates/compile-template.js'
import { templateValues } from '../dist/cli/init/template-values.js'

const FOLDER = 'dist/bundle/templates'
const answers = { name: 'shop', template: '', storage: 'sqlite', signIn: 'api-keys', tests: false, mcp: false }

export function writeTemplates() {
  const paths = readdirSync('templates', { recursive: true })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.tmpl'))
    .sort()
  const code = paths.map((path) => `${JSON.stringify(path)}: ${codeOf(path)}`)
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(`${FOLDER}/index.cjs`, `module.exports = {\n${code.join(',\n')}\n}\n`)
}

/** Values are written as the format of a file wants: three braces, which print them raw, are for users. */
function codeOf(path) {
  const text = readFileSync(`templates/${path}`, 'utf8')
  if (/\{\{~?(?:\{|&)/u.test(text)) throw new Error(`templates/${path} prints a value raw.`)
  const template = parsedTemplate(path, text)
  checkTemplate(template, new Map(), templateValues(answers, ''))
  return codeOfTemplate(template)
}
