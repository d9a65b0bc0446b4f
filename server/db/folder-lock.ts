import 'server-only'
import { closeSync, openSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'

/**
 * PGlite has no lock of its own, and two processes that write the same folder destroy it. Takes the lock file at `path`
 * and answers what releases it; rejects with `FolderInUseError` while somebody has it.
 *
 * The lock is the kernel's, on the open file (`F_OFD_SETLK`, fcntl(2)): it ends with the process that holds it, however
 * that ends, counts across containers that share the folder, and excludes releases that took it by SQLite. A process id
 * would say nothing there: in its container each is number 1.
 */
export async function lockFolder(path: string, native = kernelLocks): Promise<() => Promise<void>> {
  const holderPath = `${path}.pid`
  const file = await takeLock(path, native)
  if (file === null) throw new FolderInUseError(path, await readHolder(holderPath))
  // Only for the message of whoever comes second; what it says of a holder that died is never asked for.
  await writeFile(holderPath, `${process.pid} ${hostname()}`).catch(() => {})
  let isHeld = true
  return async () => {
    if (isHeld) closeSync(file)
    isHeld = false
  }
}

/** The folder cannot be had, for a reason that whoever starts the server can do something about. */
export class FolderLockError extends Error {
  override readonly name: string = 'FolderLockError'
}

export class FolderInUseError extends FolderLockError {
  override readonly name = 'FolderInUseError'

  constructor(path: string, holder: string) {
    super(`The data folder is in use by process ${holder} (lock file ${path}). Stop it, or set another DATA_DIR.`)
  }
}

/** Loaded late: where it has no build, everything that needs no folder works without. */
const kernelLocks: () => Promise<{ tryLock: (file: number) => boolean }> = () => import('fs-native-extensions')

/** The open file, which is the lock; null while somebody else has it. A number, because Node closes a handle it collects. */
async function takeLock(path: string, native: typeof kernelLocks): Promise<number | null> {
  const file = openSync(path, 'a+', 0o600)
  try {
    const { tryLock } = await native()
    if (tryLock(file)) return file
  } catch (error) {
    closeSync(file)
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    throw new FolderLockError(
      `The data folder cannot be locked (${code}), so nothing would keep two processes from destroying what is in it ` +
        `(lock file ${path}). Set a DATA_DIR on a disk of this machine, or use PostgreSQL (DATABASE_URL).`,
      { cause: error },
    )
  }
  closeSync(file)
  return null
}

async function readHolder(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch(() => '')
  const [, pid, host] = /^(\d+)(?: (\S+))?$/.exec(text) ?? []
  if (pid === undefined) return 'that is starting'
  return host === undefined || host === hostname() ? pid : `${pid} on ${host}`
}
