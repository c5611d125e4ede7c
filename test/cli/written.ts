import { vi } from 'vitest'
import { run } from '../../src/cli/main.js'

/** Runs a command in this process, and gives its exit code and what it wrote to standard output. */
export async function written(args: readonly string[]): Promise<{ readonly code: number; readonly text: string }> {
  let text = ''
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => ((text += String(chunk)), true))
  const before = process.exitCode
  try {
    const code = await run(['node', 'svc', ...args])
    return { code, text }
  } finally {
    spy.mockRestore()
    process.exitCode = before
  }
}
