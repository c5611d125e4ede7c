import { relative, resolve } from 'node:path'
import { check } from '../../compiler/check.js'
import { everyScopeOf } from '../dev/identities.js'
import { CliError, EXIT, type ExitCode } from '../shared/errors/cli-error.js'
import { shellPath } from '../../protocol/shell.js'
import { answersFrom, mayAsk, refuseWrongOptions, type Answers, type InitOptions } from './answers.js'
import { defaultDatabaseOf, templateValues } from './template-values.js'
import { createAll, refuseConflicts } from './create-files.js'
import { addDeployments, deploymentFiles, deploymentsIn, isService, type Deployment } from './deploy.js'
import { credentialFiles } from './credentials.js'
import { dependencyFor, type Dependency } from './package-spec.js'
import { templateFiles, type ScaffoldFile } from './template-files.js'
import { printOut } from '../shared/output/print.js'

/**
 * Scaffolds a service in a folder; without one, in the folder of the name that is asked for, or here where nobody can
 * be asked. Writes nothing when any of its files is there already.
 */
export async function init(dir: string | undefined, options: InitOptions): Promise<ExitCode> {
  refuseWrongOptions(options)
  const deployments = deploymentsIn(options.deploy)
  if (deployments.length > 0 && isService(dir ?? '.')) return addDeployments(dir ?? '.', options)
  if (mayAsk(options) && dir !== undefined) await refuseConflicts(dir, MADE_ALWAYS)
  const answers = mayAsk(options) ? await (await import('./ask.js')).askAuthor(dir, options) : undefined
  const folder = dir ?? resolve(answers?.name ?? '.')
  const svcKit = options.svcKit === undefined ? dependencyFor(folder) : { spec: options.svcKit }
  return scaffold(folder, answers ?? answersFrom(folder, options), deployments, svcKit)
}

async function scaffold(
  folder: string,
  answers: Answers,
  deployments: readonly Deployment[],
  { spec, vendored }: Dependency,
): Promise<ExitCode> {
  const values = templateValues(answers, spec, { deployments })
  const made = await templateFiles(answers.template, values)
  const deployed = await deploymentFiles(deployments, values)
  const brought = vendored === undefined ? [] : [vendored]
  const files = [...made, ...brought, ...deployed, ...credentialFiles(answers, ...scopesOf(made))]
  await refuseConflicts(folder, [...files.map(({ path }) => path), 'keys'])
  await createAll(folder, files)
  printOut(nextSteps(folder, files.length, answers))
  return EXIT.ok
}

/** Made of any template: where one of them is there already, nobody is asked anything. */
const MADE_ALWAYS = ['svc.yaml', 'main.ts', 'package.json', 'tsconfig.json', 'api-keys.json', '.env', 'keys']

/** Scopes that the capabilities of a scaffold need, and the scope of its approvers. */
function scopesOf(scaffold: readonly ScaffoldFile[]): readonly [readonly string[], string | undefined] {
  const source = scaffold.find(({ path }) => path === 'svc.yaml')
  if (source === undefined) throw new CliError('The template has no svc.yaml.tmpl.')
  const text = typeof source.content === 'string' ? source.content : new TextDecoder().decode(source.content)
  const { manifest, diagnostics } = check([{ file: source.path, text }])
  const [problem] = diagnostics
  if (manifest === undefined)
    throw new CliError(`The svc.yaml of the template has an error: ${problem?.message ?? ''}`, EXIT.findings)
  return [everyScopeOf(manifest.capabilities), manifest.approvals.approver_scope]
}

function nextSteps(folder: string, count: number, answers: Answers): string {
  const path = relative(process.cwd(), folder) || '.'
  const hasKeys = answers.signIn !== 'oidc'
  const steps = [
    ...(path === '.' ? [] : [`cd ${shellPath(path)}`]),
    ...(hasKeys ? [] : ['$EDITOR .env  # name your identity provider']),
    'npm install',
    ...(answers.storage === 'postgres' ? [`npx svc migrate up --database ${defaultDatabaseOf(answers)}`] : []),
    'npx svc dev',
  ]
  const alone = ['npx svc build', ...(answers.tests ? ['npm test'] : []), 'npx svc sign', 'npm start']
  return [
    `Created ${count} files, with development keys${hasKeys ? ' and credentials' : ''}. Next:\n`,
    ...steps.map((step) => `  ${step}`),
    '',
    ...(hasKeys ? firstCalls(answers.template) : []),
    `To run it without svc dev: ${alone.join(', ')}.`,
    ...(hasKeys ? ['It knows other keys than those of .env: make one with npx svc apikeys add.'] : []),
    '',
  ].join('\n')
}

/** Templates of ours with sample calls, and whether one of these needs an approval. */
const SAMPLED: ReadonlyMap<string, boolean> = new Map([
  ['minimal', false],
  ['travel', true],
])

function firstCalls(template: string): readonly string[] {
  const needsApproval = SAMPLED.get(template)
  if (needsApproval === undefined) return []
  return [
    needsApproval
      ? 'There, press s to call as an agent, a and y to approve the call, s to repeat it, t to read the audit trail.'
      : 'There, press s to call as an agent, t to read the audit trail.',
    'Each key prints the command that it runs.',
    '',
  ]
}
