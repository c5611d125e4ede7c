import { EXIT } from '../errors/cli-error.js'
import { systemErrorText } from '../errors/system-error.js'

/**
 * Minds what becomes of the output. A reader that has seen enough (`svc rules | head -1`) is no fault: the work goes on
 * and its exit code stays. Output that is lost (a full disk) is one.
 */
export function mindOutput(output: NodeJS.WriteStream = process.stdout): void {
  if (output.listeners('error').includes(onOutputError)) return
  output.on('error', onOutputError)
}

function onOutputError(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') return
  process.stderr.write(`svc: ${systemErrorText(error) ?? `Cannot write the output: ${error.message}`}\n`)
  process.exit(EXIT.usage)
}
