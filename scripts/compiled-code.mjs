import { accessSync, constants, readdirSync, rmSync } from 'node:fs'
import module from 'node:module'
import { basename, join } from 'node:path'

/** Half of a start was compiling Next: keeps the result beside the build, or, where that is read-only, the data. */
export function keepCompiled(build, dataDir) {
  if (isWritable(build)) module.enableCompileCache?.(join(build, 'compiled'))
  else if (isWritable(dataDir)) module.enableCompileCache?.(beside(dataDir, basename(build)))
  // Not every end of a process writes it.
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
