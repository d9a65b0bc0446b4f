import 'server-only'
import { spawnSync } from 'node:child_process'
import { chmodSync, closeSync, mkdirSync, openSync, realpathSync, statSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { isMainThread } from 'node:worker_threads'
import { codeOf } from './errors'

export class FolderError extends Error {
  override readonly name: string = 'FolderError'
}

export class FolderInUseError extends FolderError {
  override readonly name = 'FolderInUseError'

  constructor(path: string, holder: string) {
    super(`The data folder is in use by process ${holder} (lock file ${path}). Stop it, or set another DATA_DIR.`)
  }
}

/** The native module is imported on first use, because an instance on PostgreSQL works without it. */
const kernelLocks: () => Promise<{ tryLock: (file: number) => boolean }> = () => import('fs-native-extensions')

/**
 * PGlite has no lock of its own, and two processes would destroy its folder. Locks the folder and returns the release, or
 * rejects with `FolderInUseError`. The kernel's lock on the open file (`F_OFD_SETLK`, fcntl(2)) ends with its process and
 * holds across containers, where every process id is 1.
 */
export async function lockFolder(dataDir: string, native = kernelLocks): Promise<() => Promise<void>> {
  const path = join(dataDir, 'folder.lock')
  const holderPath = `${path}.pid`
  // A file descriptor is used, because Node closes a `FileHandle` that is garbage-collected, which would release the lock.
  const file = openSync(path, 'a+', 0o600)
  let isHeld = false
  try {
    isHeld = (await native()).tryLock(file)
  } catch (error) {
    closeSync(file)
    const code = codeOf(error) || 'unknown'
    throw new FolderError(
      `The data folder cannot be locked (${code}), so nothing would keep two processes from destroying what is in it ` +
        `(lock file ${path}). Set a DATA_DIR on a disk of this machine, or use PostgreSQL (DATABASE_URL).`,
      { cause: error },
    )
  }
  if (!isHeld) {
    closeSync(file)
    const holder = await readFile(holderPath, 'utf8').catch(() => '')
    throw new FolderInUseError(path, holder === '' ? 'that is starting' : holder.replace(` on ${hostname()}`, ''))
  }
  await writeFile(holderPath, `${process.pid} on ${hostname()}`).catch(() => {})
  return async () => {
    if (isHeld) closeSync(file)
    isHeld = false
  }
}

const OTHERS = 0o077

/** Creates the folder, or closes it to other users (0700). Files that this process writes later are closed, too (umask). */
export function ensurePrivateFolder(folder: string): void {
  if (isMainThread) process.umask(OTHERS)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  giveToOwner(folder)
  const isOpen = () => process.platform !== 'win32' && (statSync(folder).mode & OTHERS) !== 0
  if (!isOpen()) return
  try {
    chmodSync(folder, 0o700)
  } catch {}
  if (isOpen())
    throw new FolderError(
      `DATA_DIR is open to other users of this machine, and ${folder} cannot be closed to them: it must belong to the user that Intag runs as (chown -R), on a file system that keeps modes.`,
    )
}

/** Returns the owner of the folder if this process is root and the folder is another user's, otherwise null. */
export function findOtherOwner(folder: string): { uid: number; gid: number } | null {
  const found = process.geteuid?.() === 0 ? statSync(folder, { throwIfNoEntry: false }) : undefined
  return found === undefined || found.uid === 0 ? null : { uid: found.uid, gid: found.gid }
}

/** Gives files that root has created (by a console command, for instance) to the owner of the folder. */
export function giveToOwner(folder: string): void {
  const owner = findOtherOwner(folder)
  // `chown -h` changes a symbolic link itself, so a link that the owner has planted cannot redirect root to another file.
  if (owner) spawnSync('chown', ['-hR', `${owner.uid}:${owner.gid}`, realpathSync(folder)])
}
