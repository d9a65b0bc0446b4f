import 'server-only'
import { readFile, writeFile } from 'node:fs/promises'
import type { DatabaseSync } from 'node:sqlite'
import { holdSocket } from './folder-socket'

/**
 * PGlite has no lock of its own, and two processes that write the same folder destroy it. Takes the lock file at `path`
 * and answers what releases it; rejects with `FolderInUseError` while somebody has it.
 *
 * The lock is the kernel's on an open file, as SQLite takes it: it ends with the process that holds it, however that ends,
 * and counts across containers that share the folder. Nothing else may open the file: closing it would free the lock.
 */
export async function lockFolder(path: string): Promise<() => Promise<void>> {
  const holderPath = `${path}.pid`
  const held = await tryBoth(path)
  if (!held) throw new FolderInUseError(path, await readHolder(holderPath))
  // Only for the message of whoever comes second; what it says of a holder that died is never asked for.
  await writeFile(holderPath, String(process.pid)).catch(() => {})
  return held
}

/** The file by SQLite, where Node has it (22.13), and a socket, which older ones have too: so that one of either sees the other. */
async function tryBoth(path: string): Promise<(() => Promise<void>) | null> {
  const sqlite = process.getBuiltinModule?.('node:sqlite')
  if (!sqlite) return holdSocket(path)
  const file = tryLock(new sqlite.DatabaseSync(path, { timeout: 0 }))
  if (!file) return null
  const unlock = () => file.isOpen && file.close()
  // Where there are no sockets, the file alone must do.
  const release = await holdSocket(path).catch(() => async () => {})
  if (!release) unlock()
  return release && (() => release().finally(unlock))
}

export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError'

  constructor(path: string, holder: string) {
    super(`The data folder is in use by process ${holder} (lock file ${path}). Stop it, or set another DATA_DIR.`)
  }
}

/** SQLite's results `SQLITE_BUSY` and `SQLITE_LOCKED`. */
const TAKEN = new Set([5, 6])

/** An open transaction that excludes all others, in a database that stays empty; null while somebody else has it. */
function tryLock(file: DatabaseSync): DatabaseSync | null {
  try {
    file.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    return file
  } catch (error) {
    file.close()
    if (error instanceof Error && 'errcode' in error && TAKEN.has(Number(error.errcode))) return null
    throw error
  }
}

async function readHolder(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return /^\d+$/.test(text) ? text : 'that is starting'
}
