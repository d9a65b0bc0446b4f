import 'server-only'
import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isMainThread } from 'node:worker_threads'

const OTHERS = 0o077
const HAS_NO_MODES = process.platform === 'win32'

/**
 * Makes the folder if need be, and it and all below it the owner's alone (0700, files 0600), whoever made it and whatever
 * the umask was; so will be what this process makes from now on. `OpenFolderError` where that cannot be.
 */
export function makePrivate(folder: string): void {
  if (isMainThread) process.umask(OTHERS)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  closeAll(folder)
}

/** Closes again what was made since by somebody who sets modes of their own, as PGlite does for some of its files. */
export function closeAll(folder: string): void {
  if (HAS_NO_MODES) return
  close(folder, statSync(folder).mode)
  for (const path of pathsBelow(folder)) closeFound(path)
}

/** Node's own way of going down stumbles over sockets before 20.12. */
function pathsBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? [path, ...pathsBelow(path)] : [path]
  })
}

export class OpenFolderError extends Error {
  override readonly name = 'OpenFolderError'

  constructor(path: string, options?: ErrorOptions) {
    super(
      `DATA_DIR is open to other users of this machine, and ${path} cannot be closed to them: it must belong to the user that Intag runs as (chown -R), on a file system that keeps modes.`,
      options,
    )
  }
}

/** What a link leads to is not of the folder; what is gone meanwhile is nobody's any more. */
function closeFound(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found && !found.isSymbolicLink()) close(path, found.mode)
}

function close(path: string, mode: number): void {
  if ((mode & OTHERS) === 0) return
  try {
    chmodSync(path, mode & 0o700)
  } catch (error) {
    if (statSync(path, { throwIfNoEntry: false })) throw new OpenFolderError(path, { cause: error })
    return
  }
  if (((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & OTHERS) !== 0) throw new OpenFolderError(path)
}
