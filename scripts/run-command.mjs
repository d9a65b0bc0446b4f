import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { otherOwner, runAs } from './as-owner.mjs'
import { buildFolder, canBuild, isWhole, NOT_BUILT } from './builds.mjs'
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
  const folder = buildFolder()
  return isWhole(folder) ? join(folder, 'commands', `${name}.mjs`) : undefined
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await run(process.argv.slice(2))

async function run([name, ...given]) {
  let args = given
  try {
    args = takeEnvFile(given)
  } catch (error) {
    console.error(error.message)
    return 2
  }
  loadEnvFile()
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
