import type { Reporter, TestModule } from 'vitest/node'

/** Ends a run with one plain line that scripts can read: `N passed, N failed`. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const failedModules = modules.filter(
      (module) => !module.ok() && [...module.children.allTests('failed')].length === 0,
    )
    const passed = tests.filter((test) => test.result().state === 'passed').length
    const failed =
      tests.filter((test) => test.result().state === 'failed').length + failedModules.length + errors.length
    setImmediate(() => process.stdout.write(`\n${passed} passed, ${failed} failed\n`))
  }
}
