import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { COMPILERS, compile, copyExample, EXAMPLES, folderWithPackages, remove, RESOLUTIONS } from './project.js'

let folder: string

beforeAll(() => {
  folder = folderWithPackages()
  for (const name of EXAMPLES) copyExample(folder, name)
})
afterAll(() => remove(folder))

describe.each(COMPILERS)('%s', (compiler) => {
  it.each(Object.keys(RESOLUTIONS) as (keyof typeof RESOLUTIONS)[])(
    'compiles every example with %s resolution',
    (resolution) => {
      const include = EXAMPLES.flatMap((name) => ['generated', 'src', 'main.ts'].map((part) => `${name}/${part}`))
      expect(compile(folder, compiler, resolution, include)).toEqual([])
    },
    180_000,
  )
})
