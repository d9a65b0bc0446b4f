import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildFolder, canBuild, isWhole, NOT_BUILT } from './builds.mjs'
import { loadEnvFile } from './env-file.mjs'

/** Runs `scripts/NAME.ts` as a process of its own and answers how it ended. */
export function runCommand(name, args = []) {
  const bundle = bundled(name)
  if (bundle === undefined && !canBuild()) {
    console.error(NOT_BUILT)
    return 1
  }
  const code = bundle ? [bundle] : ['--conditions=react-server', '--import', 'tsx', `scripts/${name}.ts`]
  return spawnSync(process.execPath, [...code, ...args], { stdio: 'inherit' }).status ?? 1
}

/** As it was bundled with the build of these very sources; undefined where there is none. */
function bundled(name) {
  const folder = buildFolder()
  return isWhole(folder) ? join(folder, 'commands', `${name}.mjs`) : undefined
}

// npm run admin -- …, or intag admin …
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , name, ...args] = process.argv
  loadEnvFile()
  const bundle = bundled(name)
  if (bundle === undefined) process.exitCode = runCommand(name, args)
  else {
    // In this very process, so that a signal to it reaches the command.
    process.argv = [process.execPath, bundle, ...args]
    await import(join(process.cwd(), bundle))
  }
}
