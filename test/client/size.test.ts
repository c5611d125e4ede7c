import { resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { expect, it } from 'vitest'

it('is at most 10 kB for the wire, and needs nothing else', async () => {
  const core = await rolldown({ input: resolve('src/client/index.ts') })
  const { output } = await core.generate({ format: 'es', minify: true })
  await core.close()
  const [{ code, imports, dynamicImports }] = output
  expect([...imports, ...dynamicImports]).toEqual([])
  expect(gzipSync(code).length).toBeLessThan(10_000)
})
