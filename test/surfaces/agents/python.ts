import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { peer } from './peer.js'

let folder: string | undefined

/** The fixed part of the client for Python, with what a generated one says of each capability. */
export const python = peer(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-python-peer-'))
  cpSync('templates/python', join(folder, 'kit'), { recursive: true })
  writeFileSync(join(folder, 'kit/__init__.py'), '')
  return ['python3', '-B', join(import.meta.dirname, 'python-peer.py'), folder]
})

afterAll(() => {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
})
