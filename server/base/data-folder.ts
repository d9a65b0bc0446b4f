import { spawnSync } from 'node:child_process'
import { chmodSync, closeSync, mkdirSync, openSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isMainThread } from 'node:worker_threads'
import { readErrorCode } from './error-codes'

export class FolderError extends Error {
  override readonly name: string = 'FolderError'
}

export class FolderInUseError extends FolderError {
  override readonly name = 'FolderInUseError'

  constructor(path: string) {
    super(`The data folder is in use by another process (lock file ${path}). Stop it, or set another DATA_DIR.`)
  }
}

/** Imported on first use, because an instance on PostgreSQL works without the native module. */
const importLocks = (): Promise<{ tryLock: (fd: number) => boolean }> => import('fs-native-extensions')

/** Returns the lock's release, or rejects with `FolderInUseError`: two processes would destroy PGlite's files. */
export async function lockFolder(dataDir: string, loadLocks = importLocks): Promise<() => void> {
  const path = join(dataDir, 'folder.lock')
  // Node would close a garbage-collected `FileHandle`, which would release the lock.
  const fd = openSync(path, 'a+', 0o600)
  // The kernel's lock (`F_OFD_SETLK`, fcntl(2)) ends with its process. Process ids would repeat across containers.
  try {
    if ((await loadLocks()).tryLock(fd)) return () => closeSync(fd)
  } catch (error) {
    closeSync(fd)
    const code = readErrorCode(error) || 'unknown'
    throw new FolderError(
      `The data folder cannot be locked (${code}), so nothing would keep two processes from destroying what is in it ` +
        `(lock file ${path}). Set a DATA_DIR on a disk of this machine, or use PostgreSQL (DATABASE_URL).`,
      { cause: error },
    )
  }
  closeSync(fd)
  throw new FolderInUseError(path)
}

const OTHER_USERS_BITS = 0o077

/** Creates the folder, or closes it to other users (0700). The umask closes the files that are written later. */
export function ensurePrivateFolder(folder: string): void {
  if (isMainThread) process.umask(OTHER_USERS_BITS)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  giveToOwner(folder)
  const isOpenToOthers = () => process.platform !== 'win32' && (statSync(folder).mode & OTHER_USERS_BITS) !== 0
  if (!isOpenToOthers()) return
  // `chmod` may fail, and a file system may ignore modes, so the mode is checked again below.
  try {
    chmodSync(folder, 0o700)
  } catch {}
  if (isOpenToOthers())
    throw new FolderError(
      `DATA_DIR is open to other users of this machine, and ${folder} cannot be closed to them: it must belong to the user that Intag runs as (chown -R), on a file system that keeps modes.`,
    )
}

/** Returns the folder's owner if this process is root and the folder is another user's. */
export function findOtherOwner(folder: string): { uid: number; gid: number } | null {
  const stats = process.geteuid?.() === 0 ? statSync(folder, { throwIfNoEntry: false }) : undefined
  return stats === undefined || stats.uid === 0 ? null : { uid: stats.uid, gid: stats.gid }
}

/** Gives what root has created, for instance by a console command, to the owner of the folder. */
export function giveToOwner(folder: string): void {
  const owner = findOtherOwner(folder)
  // `-h` changes a symbolic link itself, so that no planted link leads root to another file.
  if (owner) spawnSync('chown', ['-hR', `${owner.uid}:${owner.gid}`, realpathSync(folder)])
}
