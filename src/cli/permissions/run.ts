import type { Permissions } from '../../protocol/permissions.js'
import type { ExitCode } from '../shared/errors/cli-error.js'
import { printable } from '../shared/output/printable.js'
import { serviceAt, show, type ConnectionOptions } from '../service/connection.js'

/** `svc permissions`. */
export const printPermissions = (options: ConnectionOptions): Promise<ExitCode> =>
  show(serviceAt(options).permissions(), options, permissionLines)

function permissionLines({ available, restricted, denied }: Permissions): string {
  const lines = [
    ...available.map(({ capability, scope_match }) => ['may', capability, scope_match]),
    ...restricted.map(({ capability, reason, resolution_hint = '' }) => ['lacks', capability, reason, resolution_hint]),
    ...denied.map(({ capability, reason }) => ['never', capability, reason]),
  ]
  const print = (line: readonly string[]) =>
    line
      .filter((part) => part !== '')
      .map(printable)
      .join('  ')
  return lines.length === 0 ? 'The service has no capabilities.' : lines.map(print).join('\n')
}
