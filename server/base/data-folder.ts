import 'server-only'
import { spawnSync } from 'node:child_process'
import { chmodSync, closeSync, lstatSync, mkdirSync, openSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { isMainThread } from 'node:worker_threads'
import { codeOf } from './errors'

/**
 * PGlite has no lock of its own, and two processes would destroy its folder. Takes the lock file and answers what
 * releases it, or rejects with `FolderInUseError`. The kernel's lock on the open file (`F_OFD_SETLK`, fcntl(2)) ends
 * with its process and holds across containers, where every process id is 1.
 */
export async function lockFolder(path: string, native = kernelLocks): Promise<() => Promise<void>> {
  const holderPath = `${path}.pid`
  const file = await takeLock(path, native)
  if (file === null) throw new FolderInUseError(path, await readHolder(holderPath))
  await writeFile(holderPath, `${process.pid} ${hostname()}`).catch(() => {})
  let isHeld = true
  return async () => {
    if (isHeld) closeSync(file)
    isHeld = false
  }
}

export class FolderLockError extends Error {
  override readonly name: string = 'FolderLockError'
}

export class FolderInUseError extends FolderLockError {
  override readonly name = 'FolderInUseError'

  constructor(path: string, holder: string) {
    super(`The data folder is in use by process ${holder} (lock file ${path}). Stop it, or set another DATA_DIR.`)
  }
}

/** Loaded late: PostgreSQL works without its native build. */
const kernelLocks: () => Promise<{ tryLock: (file: number) => boolean }> = () => import('fs-native-extensions')

/** The open file, which is the lock; null if it is taken. A number, because Node closes a handle it collects. */
async function takeLock(path: string, native: typeof kernelLocks): Promise<number | null> {
  const file = openSync(path, 'a+', 0o600)
  try {
    const { tryLock } = await native()
    if (tryLock(file)) return file
  } catch (error) {
    closeSync(file)
    const code = codeOf(error) || 'unknown'
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

const OTHERS = 0o077

/** With all in it, and all that this process writes later (0700, files 0600). `OpenFolderError`. */
export function makePrivate(folder: string): void {
  if (isMainThread) process.umask(OTHERS)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  closeAll(folder)
}

/** Again, for files whose mode PGlite sets itself. What root made here, as by the console, becomes the folder's owner's. */
export function closeAll(folder: string): void {
  if (process.platform === 'win32') return
  const [owner, above] = [otherOwner(folder), realpathSync(folder)]
  for (const path of [above, ...pathsBelow(folder)]) close(path)
  // Unlike Node, it is not misled by links that the owner puts in its way.
  if (owner) spawnSync('chown', ['-hR', `${owner.uid}:${owner.gid}`, above])
}

/** Null unless this is root and the folder another user's. */
export function otherOwner(folder: string): { uid: number; gid: number } | null {
  const found = process.geteuid?.() === 0 ? statSync(folder, { throwIfNoEntry: false }) : undefined
  return found === undefined || found.uid === 0 ? null : { uid: found.uid, gid: found.gid }
}

/** `recursive` of readdir fails on sockets before Node 20.12. */
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

/** Leaves the target of a link as it is; a file may be gone meanwhile. */
function close(path: string): void {
  const openMode = () => {
    const found = lstatSync(path, { throwIfNoEntry: false })
    return found && !found.isSymbolicLink() && (found.mode & OTHERS) !== 0 ? found.mode : null
  }
  const mode = openMode()
  if (mode === null) return
  try {
    chmodSync(path, mode & 0o700)
  } catch (error) {
    if (openMode() !== null) throw new OpenFolderError(path, { cause: error })
  }
  if (openMode() !== null) throw new OpenFolderError(path)
}
