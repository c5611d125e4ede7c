/** The travel service as `svc init --mcp` and `svc build` make it, for what needs a whole service. */
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { vi } from 'vitest'
import { build } from '../../src/cli/build/run.js'
import { init } from '../../src/cli/init/run.js'

/** In `<root>/travel`, which it gives; nothing is printed. */
export async function builtTravel(root: string): Promise<string> {
  for (const stream of [process.stdout, process.stderr]) vi.spyOn(stream, 'write').mockReturnValue(true)
  const folder = join(root, 'travel')
  await init(folder, { yes: true, template: 'travel', mcp: true })
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(resolve('.'), join(folder, 'node_modules/svc-kit'), 'junction')
  await build(folder, { check: false, force: false })
  vi.restoreAllMocks()
  return folder
}

/** The credentials that the scaffold made, by the names of their variables. */
export const keysOf = (folder: string): { readonly [name: string]: string } =>
  Object.fromEntries(
    [...readFileSync(join(folder, '.env'), 'utf8').matchAll(/^(\w+)=(.+)$/gmu)].map(([, name = '', key = '']) => [name, key]), // prettier-ignore
  )
