import { readFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'

const RULES = resolve('dist/compiler/rules')

/**
 * The table of rules for a quick file: the rules that need a field are made when it is met, and those without a body,
 * which only reports speak of, when something is reported. `textOf` gives the code of a rule.
 */
export const rulesWhenNeeded = (textOf) => ({
  name: 'rules-when-needed',
  transform: {
    filter: { id: /\/dist\/compiler\/rules\/table\.js$/ },
    handler(table) {
      const read = (file, code = readFileSync(file, 'utf8')) => ({ file, code, body: this.parse(code).body })
      const lists = importsOf(read(resolve(RULES, 'table.js'), table)).filter(({ file }) => file.includes('/lists/'))
      const rules = lists.flatMap(({ file }) => orderOf(read(file)))
      return tableOf(rules.map(({ name, file }) => ruleIn(name, read(file, textOf(readFileSync(file, 'utf8'), this)))))
    },
  },
})

function importsOf({ file, body }) {
  return body
    .filter(({ type }) => type === 'ImportDeclaration')
    .flatMap(({ source, specifiers }) =>
      specifiers.map(({ imported, local }) => ({
        name: local.name,
        imported: imported.name,
        file: resolve(dirname(file), source.value),
      })),
    )
}

/** The rules of a list, in its order. */
function orderOf(list) {
  const files = new Map(importsOf(list).map(({ name, file }) => [name, file]))
  const [{ init }] = list.body.flatMap(({ declaration }) => declaration?.declarations ?? [])
  return init.elements.map(({ name }) => ({ name, file: files.get(name) }))
}

function ruleIn(name, module) {
  const { code, body } = module
  const declared = body.flatMap(({ declaration }) => declaration?.declarations ?? [])
  const { init } = declared.find(({ id }) => id.name === name)
  const member = (wanted) => init.properties.find(({ key }) => key.name === wanted)
  const own = body.filter(({ type }) => type !== 'ImportDeclaration')
  return {
    name,
    file: module.file,
    needs: member('needs')?.value.value,
    hasBody: ['ofManifest', 'ofCapability', 'ofInput', 'ofStep'].some((each) => member(each) !== undefined),
    imports: importsOf(module),
    // A function around it keeps its own names from those of other rules.
    text: `(() => { ${own.map(({ start, end }) => code.slice(start, end).replace(/^export /u, '')).join('\n')}; return ${name} })()`,
  }
}

function tableOf(rules) {
  const always = rules.filter(({ needs, hasBody }) => needs === undefined && hasBody)
  const needing = grouped(rules.filter(({ needs }) => needs !== undefined))
  const ready = always.map(({ name, file }) => `import { ${name} } from '${slashes(file)}'`)
  const parts = [...needing].map(([field, of]) => `${field}: later(() => [${textsOf(of)}])`)
  const silent = rules.filter(({ needs, hasBody }) => needs === undefined && !hasBody)
  return `${importsFor(rules.filter((rule) => !always.includes(rule)))}
    ${ready.join('\n')}
    import { later } from '${slashes(resolve('dist/protocol/later.js'))}'
    const always = [${always.map(({ name }) => name)}]
    const needing = { ${parts.join(', ')} }
    const silent = later(() => [${textsOf(silent)}])
    const inOrder = (one, other) => (one.code < other.code ? -1 : 1)
    const all = later(() => always.concat(...Object.values(needing).map((rules) => rules()), silent()).sort(inOrder))
    export const RULE_SET = { always, needing, all }`
}

const textsOf = (rules) => rules.map(({ text }) => text).join(',\n')

function grouped(rules) {
  const groups = new Map()
  for (const rule of rules) groups.set(rule.needs, [...(groups.get(rule.needs) ?? []), rule])
  return groups
}

function importsFor(rules) {
  const from = new Map()
  for (const { name, imported, file } of rules.flatMap(({ imports }) => imports)) {
    const other = from.get(name)
    if (other !== undefined && (other.file !== file || other.imported !== imported))
      throw new Error(
        `Two rules mean different things by ${name}: ${relative('.', file)}, ${relative('.', other.file)}.`,
      )
    from.set(name, { imported, file })
  }
  return [...from]
    .map(([name, { imported, file }]) => `import { ${imported} as ${name} } from '${slashes(file)}'`)
    .join('\n')
}

const slashes = (path) => path.replaceAll('\\', '/')
