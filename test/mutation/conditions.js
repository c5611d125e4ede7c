import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import ts from 'typescript-5.9'
import { isScalar, parseDocument, visit as visitYaml } from 'yaml'

/**
 * Looks for conditions of rules without a good and a bad case: takes away each operand of `&&` and `||`, each guard and each filter
 * in turn, and lists those after which the compiler takes the source, and every manifest of `test/rules` gets the same findings. Reads what
 * `npm run build` made.
 */

/** A quick look before a slow one: it only saves time, so nothing shows that it is gone. */
const QUICK_LOOK = /^!?(?:SIGNS\.some|maySecretsHide)\(/u

const RULES = resolve('src/compiler/rules')
const BUILT = resolve('dist/compiler/rules')
const NOW = Date.parse('2026-11-21T00:00:00Z')
const load = (path) => import(pathToFileURL(resolve('dist/compiler', path)).href)
const [{ readFiles }, { applyRules }] = [await load('shape/read-files.js'), await load('rules/apply-rules.js')]

const filesUnder = (folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file))
/** The manifests, each read once. Those of more than 100 kB are about size. */
const READ = [...filesUnder('test/rules'), ...filesUnder('examples').filter((file) => !file.includes('node_modules'))]
  .filter((file) => file.endsWith('.yaml') && statSync(file).size < 100_000)
  .map((file) => readFiles([{ file, text: readFileSync(file, 'utf8') }], []))

/**
 * The manifests of each case, with each of their values in turn made one that cannot be read, or left out: no rule may fail at that, and
 * what cannot be read is nothing to speak of.
 */
const incomplete = (slug) =>
  filesUnder('test/rules')
    .filter((file) => MANIFESTS.some((name) => file.endsWith(join(slug, name))) && statSync(file).size < 20_000)
    .flatMap((file) => {
      const text = readFileSync(file, 'utf8')
      const variants = []
      visitYaml(parseDocument(text), {
        Pair(_, { key, value }) {
          if (value?.range === undefined) return
          const [start, end] = value.range
          // A flow mapping keeps its comma, which YAML allows; a block mapping its line, which is a comment then.
          if (key?.range !== undefined) variants.push(without(text, key.range[0], end))
          if (isScalar(value)) variants.push(text.slice(0, start) + '{ "": 0 }' + text.slice(end))
          else if (value.flow) variants.push(text.slice(0, start) + '7' + text.slice(end))
        },
        Seq(_, { items, flow }) {
          if (!flow) return
          for (const { range } of items)
            if (range !== undefined) variants.push(text.slice(0, range[0]) + '{ "": 0 }' + text.slice(range[1]))
        },
      })
      return variants.map((variant) => readFiles([{ file, text: variant }], []))
    })

const MANIFESTS = ['good.yaml', 'svc.yaml', 'conditions.yaml']

/** The text without a member: its name becomes one that means nothing. */
const without = (text, start, end) => `${text.slice(0, start)}x-left-out: 0${text.slice(end)}`

const services = new Map([['b', new Set(['lookup'])]])

/** What a rule finds in manifests. */
function findingsOf(rule, manifests) {
  const found = manifests.map((read) => {
    try {
      return applyRules([rule], read, { now: NOW, services }).map(({ code, span, message }) => [
        code,
        span.start,
        message,
      ])
    } catch (error) {
      return String(error)
    }
  })
  return JSON.stringify(found)
}

/** The places of a file that can be taken away, and what is left then. */
function mutationsOf(text) {
  const source = ts.createSourceFile('rule.ts', text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS)
  const mutations = []
  const of = (node) => text.slice(node.getStart(source), node.getEnd())
  const swap = (node, now, what) => {
    if (QUICK_LOOK.test(of(node))) return
    mutations.push({
      what: `${what}: ${of(node).replaceAll(/\s+/gu, ' ')}`,
      line: source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1,
      text: text.slice(0, node.getStart(source)) + now + text.slice(node.getEnd()),
    })
  }
  const visit = (node) => {
    if (ts.isBinaryExpression(node)) {
      const kind = node.operatorToken.kind
      if (kind === ts.SyntaxKind.AmpersandAmpersandToken || kind === ts.SyntaxKind.BarBarToken) {
        const neutral = kind === ts.SyntaxKind.AmpersandAmpersandToken ? 'true' : 'false'
        swap(node.left, neutral, `without the operand`)
        swap(node.right, neutral, `without the operand`)
      }
    }
    if (ts.isIfStatement(node)) {
      const leaves = ts.isReturnStatement(node.thenStatement) || ts.isContinueStatement(node.thenStatement)
      swap(node.expression, leaves ? 'false' : 'true', 'without the guard')
    }
    if (
      ts.isCallExpression(node) &&
      ts.isPropertyAccessExpression(node.expression) &&
      node.expression.name.text === 'filter'
    )
      swap(node, of(node.expression.expression), 'without the filter')
    ts.forEachChild(node, visit)
  }
  visit(source)
  return mutations
}

/** What the compiler says of code that is not reached, or of a name that is not used, after a condition is gone: no sign of a mistake. */
const NO_SIGN = new Set([6133, 6192, 6196, 6198, 7027])

const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile)
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, '.')
const changed = new Map()
const compiler = ts.createLanguageService({
  getCompilationSettings: () => ({ ...options, noEmit: true, incremental: false }),
  getCurrentDirectory: () => process.cwd(),
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  getScriptFileNames: () => [...changed.keys()],
  getScriptSnapshot: (file) => {
    const text = changed.get(file)?.text ?? ts.sys.readFile(file)
    return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
  },
  getScriptVersion: (file) => String(changed.get(file)?.version ?? 0),
  fileExists: ts.sys.fileExists,
  readFile: ts.sys.readFile,
  readDirectory: ts.sys.readDirectory,
  directoryExists: ts.sys.directoryExists,
})

/** Whether the compiler refuses a file with another text. */
function isRefused(file, text) {
  changed.set(file, { text, version: (changed.get(file)?.version ?? 0) + 1 })
  return compiler.getSemanticDiagnostics(file).some(({ code }) => !NO_SIGN.has(code))
}

const only = process.argv.slice(2)
const files = filesUnder(RULES).filter(
  (file) =>
    /\/\w+\/[\w.-]+\.ts$/u.test(file.slice(RULES.length)) &&
    !file.includes('/facts/') &&
    !/(?:index|codes)\.ts$/u.test(file),
)
const ruleIn = async (path, slug) =>
  Object.values(await import(pathToFileURL(path).href)).find((each) => each?.slug === slug)

let made = 0
let unnoticed = 0
for (const file of files.sort()) {
  const slug = basename(file, '.ts')
  if (only.length > 0 && !only.includes(slug)) continue
  const text = readFileSync(file, 'utf8')
  if (isRefused(file, text)) throw new Error(`The compiler refuses ${file} as it is.`)
  const folder = join(BUILT, basename(dirname(file)))
  const manifests = [...READ, ...incomplete(slug)]
  const before = findingsOf(await ruleIn(join(folder, `${slug}.js`), slug), manifests)
  for (const mutation of mutationsOf(text)) {
    made++
    if (isRefused(file, mutation.text)) continue
    const path = join(folder, `mutant-${made}.js`)
    writeFileSync(path, ts.transpile(mutation.text, { ...options, module: ts.ModuleKind.ESNext }))
    let after = ''
    try {
      after = findingsOf(await ruleIn(path, slug), manifests)
    } catch {}
    rmSync(path)
    if (after !== before) continue
    unnoticed++
    console.log(`${basename(dirname(file))}/${slug}:${mutation.line}: ${mutation.what.slice(0, 150)}`)
  }
  changed.delete(file)
}
console.log(`${made} conditions, ${unnoticed} not noticed`)
process.exitCode = unnoticed > 0 ? 1 : 0
