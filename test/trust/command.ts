import { vi } from 'vitest'
import { run } from '../../src/cli/main.js'

export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Runs `svc` in this process. */
export async function svc(...args: readonly string[]): Promise<Ran> {
  let [out, err] = ['', '']
  const writers = [
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((out += String(text)), true)),
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => ((err += String(text)), true)),
  ]
  const code = await run(['node', 'svc', ...args])
  process.exitCode = 0
  for (const writer of writers) writer.mockRestore()
  return { code, out, err }
}
