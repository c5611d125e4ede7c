/** Programs of Debian packages: those of the system where they are installed, else out of the package, unpacked aside. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export function debianProgram(name: string, program: string, room = 'usr/bin'): string {
  const installed = join('/', room, program)
  if (existsSync(installed)) return installed
  const unpacked = join(unpackedPackages([name]), room, program)
  if (!existsSync(unpacked)) throw new Error(`The package ${name} has no ${program}.`)
  return unpacked
}

/** Where the modules of packages for Python are. */
export const debianModules = (names: readonly string[]): string =>
  join(unpackedPackages(names), 'usr/lib/python3/dist-packages')

/** What the packages hold, unpacked once into one folder. */
export function unpackedPackages(names: readonly string[]): string {
  const folder = join(tmpdir(), `svc-debian-${names[0]}`)
  const root = join(folder, 'root')
  if (existsSync(root)) return root
  mkdirSync(folder, { recursive: true })
  download(names, folder)
  const archives = readdirSync(folder).filter((file) => file.endsWith('.deb'))
  if (archives.length < names.length)
    throw new Error(`apt-get download ${names.join(' ')} gave ${archives.length} packages.`)
  for (const archive of archives) execFileSync('dpkg', ['-x', join(folder, archive), join(folder, 'making')])
  renameSync(join(folder, 'making'), root)
  return root
}

/** A system that has never looked at its sources has no list of them. */
function download(names: readonly string[], cwd: string): void {
  const ask = (...words: readonly string[]) => execFileSync('apt-get', words, { cwd, stdio: 'ignore' })
  try {
    ask('download', ...names)
  } catch {
    ask('update')
    ask('download', ...names)
  }
}
