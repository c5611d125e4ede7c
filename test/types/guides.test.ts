/** Fragments of TypeScript in the guides are not run, because they are parts of something; what they call is called so. */
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { compile, folderWithPackages, remove, type Complaint } from './project.js'

const GUIDES = ['README.md', ...readdirSync('docs/guides').map((name) => `docs/guides/${name}`)]
const IMPORT = /^import [^;]*? from '[^']+'$/gmu

/** Entries of the package whose names stand in fragments without their import. */
const ENTRIES = ['svc-kit/runtime', 'svc-kit/runtime/node', 'svc-kit/mcp']

/** What a fragment takes from around it, as the compiler says it. */
const NO_NAME = new Set(['TS2304', 'TS2552', 'TS18004'])
/** Packages that a build writes, and other peoples’. */
const NO_MODULE = 'TS2307'

/** What a fragment makes is used elsewhere, and how strict a reader's compiler is, is theirs. */
const OF_ANOTHER_PLACE = new Set(['TS6133', 'TS4111'])

interface Fragment {
  readonly file: string
  readonly text: string
}

const fragments: readonly Fragment[] = GUIDES.flatMap((guide) =>
  [...readFileSync(guide, 'utf8').matchAll(/^```ts\n([\s\S]*?)^```$/gmu)].map(([, text = ''], index) => ({
    text,
    file: `${guide.replaceAll(/\W/gu, '-')}-${index}.ts`,
  })),
)

const folder = folderWithPackages()
for (const name of ['@opentelemetry', 'nodemailer'])
  symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name), 'junction')
writeFileSync(join(folder, 'package.json'), '{"type": "module"}')
afterAll(() => remove(folder))

/** A fragment as a module: its imports first, then the rest as one function, below what it takes from around it. */
function moduleOf({ text }: Fragment, around: readonly string[]): string {
  const imports = text.match(IMPORT) ?? []
  const rest = text.replaceAll(IMPORT, '').replaceAll('…', '')
  return [...imports, ...around, `export async function fragment(): Promise<unknown> {\n${rest}\nreturn\n}`].join('\n')
}

function complaintsOf(around: (fragment: Fragment) => readonly string[]): readonly Complaint[] {
  for (const fragment of fragments) writeFileSync(join(folder, fragment.file), moduleOf(fragment, around(fragment)))
  return compile(folder, 'typescript', 'NodeNext', ['*.ts'])
}

/** Names of the package are those of the package; of any other nothing is known. */
const declared = (name: string, exported: ReadonlyMap<string, string>): string =>
  exported.has(name)
    ? `import { ${/^[A-Z]/u.test(name) ? 'type ' : ''}${name} } from '${exported.get(name)}'`
    : `declare const ${name}: any`

it('every fragment of TypeScript in a guide calls the package as it is', async () => {
  const names = await Promise.all(ENTRIES.map(async (entry) => Object.keys((await import(entry)) as object).map((name) => [name, entry] as const))) // prettier-ignore
  const exported = new Map([...names.flat(), ['KeyRing', ENTRIES[0]!], ['Signer', ENTRIES[0]!]])
  exported.delete('createService') // that of a build takes less
  const missing = complaintsOf(() => []).filter(({ code }) => NO_NAME.has(code))
  const freeIn = (fragment: Fragment) => missing.filter(({ file }) => file === fragment.file).map(({ message }) => /'(\w+)'/u.exec(message)![1]!) // prettier-ignore
  const complaints = complaintsOf((fragment) => [...new Set(freeIn(fragment))].map((name) => declared(name, exported)))
  const wrong = complaints
    .filter(({ file, code }) => !OF_ANOTHER_PLACE.has(code) && fragments.some((fragment) => fragment.file === file))
    .filter(({ code, message }) => code !== NO_MODULE || message.includes('svc-kit'))
    .map(({ file, line, code, message }) => `${file}:${line}: ${code} ${message}`)
  expect(wrong).toEqual([])
  expect(fragments.length).toBeGreaterThan(10)
}, 120_000)
