import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bundle } from '../../src/cli/bundle.js'
import { CliError } from '../../src/cli/cli-error.js'

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'svc-bundle-'))
})

afterEach(() => {
  rmSync(root, { recursive: true, force: true })
})

/** Bundles main.ts, which uses the one export of src/handler.ts, and gives the error. */
async function errorOf(handler: string): Promise<unknown> {
  for (const [path, text] of [
    ['main.ts', "import { handler } from './src/handler.js'\nhandler()\n"],
    ['src/handler.ts', handler],
  ] as const) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return bundle({ root, entry: 'main.ts', inlined: [] }).catch((error: unknown) => error)
}

describe('what is wrong in a module of the service', () => {
  it.each([
    ['syntax', 'const a = 1\nexport const handler = (', /^src\/handler\.ts:2:25 Expression expected\./u],
    ['a missing export', 'export const handle = 1', /"handler" is not exported by ".*src\/handler\.ts"/u],
    ['a missing module', "export { handler } from './nope.js'", /src\/nope\.ts .*imported by .*src\/handler\.ts/u],
  ])('is one message for its author: %s', async (_, text, message) => {
    const error = await errorOf(text)
    expect(error).toBeInstanceOf(CliError)
    expect(error).toMatchObject({ exitCode: 1, message: expect.stringMatching(message) as string })
    expect(String(error)).toMatch(/\nMend it, then run svc build again\.$/u)
  })

  it('is nothing when it imports a package', async () => {
    expect(await errorOf("import leftpad from 'leftpad'\nexport const handler = leftpad\n")).toMatchObject({
      code: "import leftpad from 'leftpad';\n\nconst handler = leftpad;\n\nhandler();\n",
    })
  })
})
