/**
 * Runs in a child before its program: `existsSync` answers false for what Node's permissions keep from the child. Node
 * throws there, though a program is promised that it never does, and many ask about files of the system at their start.
 */
function existsWithoutThrowing(): void {
  const fs = process.getBuiltinModule('node:fs')
  const { existsSync } = fs
  fs.existsSync = (path) => {
    try {
      return existsSync(path)
    } catch {
      return false
    }
  }
  process.getBuiltinModule('node:module').syncBuiltinESMExports()
}

/** A module that Node loads before the server, as its address. */
export const EXISTS_MODULE = `data:text/javascript,${encodeURIComponent(`(${String(existsWithoutThrowing)})()`)}`
