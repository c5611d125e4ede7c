import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** The compilers that generated code must satisfy. */
export const COMPILERS = ['typescript-5.9', 'typescript-6.0', 'typescript'] as const
export type Compiler = (typeof COMPILERS)[number]

/** The strictest that a user may ask for. */
const STRICTEST = {
  target: 'ES2023',
  lib: ['ES2023'],
  types: ['node'],
  noEmit: true,
  declaration: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  isolatedDeclarations: true,
  isolatedModules: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  noImplicitReturns: true,
  noFallthroughCasesInSwitch: true,
  skipLibCheck: false,
}

export const RESOLUTIONS = {
  NodeNext: { module: 'NodeNext', moduleResolution: 'NodeNext' },
  bundler: { module: 'ESNext', moduleResolution: 'bundler' },
} as const

export const EXAMPLES = readdirSync('examples').filter((name) => existsSync(join('examples', name, 'svc.yaml')))

/** A folder beside which svc-kit and the types of Node are installed. */
export function folderWithPackages(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-types-')))
  mkdirSync(join(folder, 'node_modules/@types'), { recursive: true })
  symlinkSync(resolve('.'), join(folder, 'node_modules/svc-kit'), 'junction')
  for (const name of ['@types/node', 'undici-types', 'pg', '@types/pg'])
    symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name), 'junction')
  return folder
}

export const copyExample = (folder: string, name: string): void =>
  cpSync(join('examples', name), join(folder, name), { recursive: true })
export const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true, maxRetries: 20 })

/** One complaint of a compiler. */
export interface Complaint {
  readonly file: string
  readonly line: number
  readonly code: string
  readonly message: string
}

/** What a compiler says about a folder. */
export function compile(
  folder: string,
  compiler: Compiler,
  resolution: keyof typeof RESOLUTIONS,
  include: readonly string[],
): readonly Complaint[] {
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...STRICTEST, ...RESOLUTIONS[resolution] }, include }),
  )
  const { stdout } = spawnSync(
    process.execPath,
    [resolve('node_modules', compiler, 'bin/tsc'), '--pretty', 'false', '-p', '.'],
    { cwd: folder, encoding: 'utf8' },
  )
  return [...stdout.matchAll(/^(.+?)\((\d+),\d+\): error (TS\d+): (.*(?:\n {2}.*)*)/gmu)].map(
    ([, file = '', line, code = '', message = '']) => ({
      file: file.replaceAll('\\', '/'),
      line: Number(line),
      code,
      message,
    }),
  )
}
