import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'
import { emit } from '../../src/compiler/emit.js'
import type { Manifest } from '../../src/protocol/manifest.js'

/** The package for Python of a manifest, and what a program that imports it prints. */
export function pythonPackageOf(manifest: Manifest) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-python-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }))
  for (const { path, text } of emit(manifest, { generator: 'svc' }).files) {
    if (!path.startsWith('dist/python/')) continue
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const at = join(folder, 'dist/python')
  cpSync('templates/python', join(at, `${manifest.service_identity.id}_client`), { recursive: true })
  return { folder: at, run: (code: string, env: NodeJS.ProcessEnv = {}) => printed(at, code, env) }
}

/** Beside this process, which may be the service that the program asks. */
async function printed(folder: string, code: string, env: NodeJS.ProcessEnv): Promise<string> {
  const all = { ...process.env, ...env, PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1' }
  const child = spawn(process.env['PYTHON'] ?? 'python3', ['-W', 'error', '-c', code], {
    env: all,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const texts: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => texts.push(String(data)))
  await once(child, 'close')
  return texts.join('').trim()
}
