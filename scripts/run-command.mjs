import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { canBuild, isBuilt, NOT_BUILT, SERVER_FOLDER } from './build.mjs'
import { loadSettings } from './env-file.mjs'

/** Runs a command of the build, or of the sources if nothing is built, and returns its exit code. */
export function runCommand(name, args = []) {
  if (!isBuilt() && !canBuild()) throw new Error(NOT_BUILT)
  const program = isBuilt()
    ? [join(SERVER_FOLDER, 'commands', `${name}.mjs`)]
    : ['--conditions=react-server', '--import', 'tsx', `scripts/${name}.ts`]
  return spawnSync(process.execPath, [...program, ...args], { stdio: 'inherit' }).status ?? 1
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [name, ...args] = process.argv.slice(2)
  try {
    process.exitCode = runCommand(name, loadSettings(args))
  } catch (error) {
    console.error(error.message)
    process.exitCode = 2
  }
}
