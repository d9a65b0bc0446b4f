import { accessSync, constants, readdirSync, rmSync } from 'node:fs'
import module from 'node:module'
import { basename, join } from 'node:path'

/**
 * Next is much code, and half of a start was compiling it. What was compiled is kept beside the build, or, where nobody may write
 * there, beside the data, for the newest build alone; where neither can be, each start compiles.
 */
export function keepCompiled(build, dataDir) {
  if (isWritable(build)) module.enableCompileCache?.(join(build, 'compiled'))
  else if (isWritable(dataDir)) module.enableCompileCache?.(beside(dataDir, basename(build)))
  // Soon, because not every end of a process lets it write.
  setTimeout(() => module.flushCompileCache?.(), 10_000).unref()
}

function beside(dataDir, build) {
  const folder = join(dataDir, 'compiled')
  for (const name of namesIn(folder)) if (name !== build) rmSync(join(folder, name), { recursive: true, force: true })
  return join(folder, build)
}

function namesIn(folder) {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}
