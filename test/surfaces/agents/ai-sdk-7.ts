import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll } from 'vitest'
import { peer } from './peer.js'

const NODE_22 = resolve(import.meta.dirname, '../peers/node_modules/node22/bin/node')

/** An agent of the AI SDK, version 7, in Node 22, with what `npm run build` made of the adapter. */
export const aiSdk7 = peer(async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-ai-sdk-7-')))
  afterFile(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }))
  const kit = join(folder, 'node_modules/svc-kit')
  mkdirSync(kit, { recursive: true })
  for (const part of ['package.json', 'dist/adapters', 'dist/client', 'dist/protocol'])
    cpSync(part, join(kit, part), { recursive: true })
  symlinkSync(resolve('node_modules/ai-7'), join(folder, 'node_modules/ai'), 'junction')
  for (const file of ['ai-sdk-7-peer.js', 'ai-sdk-session.js'])
    cpSync(join(import.meta.dirname, file), join(folder, file))
  cpSync('test/surfaces/peers/package.json', join(folder, 'package.json'))
  return [NODE_22, join(folder, 'ai-sdk-7-peer.js')]
})

const ended: (() => void)[] = []
const afterFile = (end: () => void) => void ended.push(end)
afterAll(() => {
  for (const end of ended) end()
})
