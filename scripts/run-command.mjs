import { spawn, spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { canBuild, HOME, isBuilt, NOT_BUILT } from './build.mjs'
import { loadEnvFile, takeEnvFile } from './env-file.mjs'

export function runCommand(name, args = []) {
  const program = programOf(name, args)
  return program === null ? 1 : (spawnSync(process.execPath, program, { stdio: 'inherit' }).status ?? 1)
}

/** The arguments of Node for it; null, with a message, where there is neither a build nor the tools. */
function programOf(name, args) {
  const bundle = bundled(name)
  if (bundle !== undefined) return [bundle, ...args]
  if (canBuild()) return ['--conditions=react-server', '--import', 'tsx', `scripts/${name}.ts`, ...args]
  console.error(NOT_BUILT)
  return null
}

function bundled(name) {
  return isBuilt() ? join(HOME, 'commands', `${name}.mjs`) : undefined
}

/** For root, whose files that owner could not open. Null for others, and with PostgreSQL. */
export function otherOwner({ DATABASE_URL, DATABASE_URL_FILE, DATA_DIR } = process.env) {
  if (process.geteuid?.() !== 0 || DATABASE_URL?.trim() || DATABASE_URL_FILE?.trim()) return null
  const { uid, gid } = statSync(DATA_DIR?.trim() || '.data', { throwIfNoEntry: false }) ?? { uid: 0, gid: 0 }
  return uid === 0 ? null : { uid, gid }
}

/** Root may still read what only root can (capabilities(7), util-linux; the secure bit is for access(2)). */
const KEPT = '+dac_override,+dac_read_search'
const KEEP = ['--securebits', '+no_setuid_fixup', '--inh-caps', KEPT, '--ambient-caps', KEPT]

export async function runAs({ uid, gid }, args) {
  const prefix = ['--reuid', `${uid}`, '--regid', `${gid}`, '--clear-groups', ...KEEP]
  const canKeep = spawnSync('setpriv', [...prefix, process.execPath, '--version'], { stdio: 'ignore' }).status === 0
  const child = canKeep
    ? spawn('setpriv', [...prefix, process.execPath, ...args], { stdio: 'inherit' })
    : spawn(process.execPath, args, { stdio: 'inherit', uid, gid })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  return new Promise((resolve) => {
    child.on('error', (error) => resolve((console.error(error.message), 1)))
    child.on('exit', (code) => resolve(code ?? 1))
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await run(process.argv.slice(2))

async function run([name, ...given]) {
  let args = given
  try {
    args = takeEnvFile(given)
    loadEnvFile()
  } catch (error) {
    console.error(error.message)
    return 2
  }
  const owner = otherOwner()
  const bundle = bundled(name)
  if (owner !== null) {
    const program = programOf(name, args)
    return program === null ? 1 : runAs(owner, program)
  }
  if (bundle === undefined) return runCommand(name, args)
  // In this process, so that signals reach the command.
  process.argv = [process.execPath, bundle, ...args]
  await import(join(process.cwd(), bundle))
  return process.exitCode
}
