/** Programs of Debian packages: those of the system where they are installed, else out of the package, unpacked aside. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export function debianProgram(name: string, program: string): string {
  const installed = join('/usr/bin', program)
  if (existsSync(installed)) return installed
  const folder = join(tmpdir(), `svc-debian-${name}`)
  const unpacked = join(folder, 'root/usr/bin', program)
  if (existsSync(unpacked)) return unpacked
  mkdirSync(folder, { recursive: true })
  execFileSync('apt-get', ['download', name], { cwd: folder, stdio: 'ignore' })
  const archive = readdirSync(folder).find((file) => file.endsWith('.deb'))
  if (archive === undefined) throw new Error(`apt-get download ${name} gave no package.`)
  execFileSync('dpkg', ['-x', join(folder, archive), join(folder, 'root')])
  return unpacked
}
