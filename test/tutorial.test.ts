import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { formatManifest } from '../src/compiler/fix/format.js'
import { written } from './cli/written.js'

/** The tutorial writes files; where it has written its last, they are those of the example. `npm test -- guides` executes its blocks. */
const EXAMPLE = 'examples/orders'
const OWN = ['svc.yaml', 'src', 'test']

const HEREDOC = /^cat (>>?) (\S+) <<'EOF'\n([\s\S]*?)^EOF$/gmu

function writtenByTutorial(): ReadonlyMap<string, string> {
  const files = new Map<string, string>()
  const text = readFileSync('docs/guides/tutorial.md', 'utf8')
  for (const [, mode, path, content] of text.matchAll(HEREDOC))
    files.set(path!, mode === '>>' ? `${files.get(path!) ?? ''}${content}` : content!)
  return files
}

const filesUnder = (path: string): readonly string[] =>
  statSync(path).isDirectory()
    ? readdirSync(path, { recursive: true, encoding: 'utf8' })
        .map((name) => join(path, name))
        .filter((each) => statSync(each).isFile())
    : [path]

describe('the end of the tutorial', () => {
  const files = writtenByTutorial()

  it.each([...files])('%s is that of the example', (path, content) => {
    const kept = path === 'svc.yaml' ? formatManifest(content) : content
    expect(kept).toBe(readFileSync(join(EXAMPLE, path), 'utf8'))
  })

  it('is the whole example, but for the index that svc build writes', () => {
    const own = OWN.flatMap((path) => filesUnder(join(EXAMPLE, path))).map((path) => relative(EXAMPLE, path))
    expect([...files.keys()].toSorted()).toEqual(own.filter((path) => path !== 'src/handlers/index.ts').toSorted())
  })

  it('allows what its cases say', async () => {
    expect((await written(['test', `${EXAMPLE}/test/policy.svctest.yaml`])).code).toBe(0)
  })
})
