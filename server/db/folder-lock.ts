import 'server-only'
import { randomUUID } from 'node:crypto'
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { z } from 'zod'

const TRIES = 5

/**
 * PGlite has no lock of its own, and two processes that write the same folder destroy it. Takes the lock, also from a holder
 * that is dead, and answers what releases it; rejects with `FolderInUseError` while a live one has it.
 */
export async function lockFolder(path: string): Promise<() => Promise<void>> {
  const mine: Holder = { pid: process.pid, startedAt: await processStart(process.pid), token: randomUUID() }
  for (let tries = 0; tries < TRIES; tries += 1) {
    if (await createExclusively(path, JSON.stringify(mine))) return () => release(path, mine)
    const found = await readText(path)
    if (found === null) continue
    const holder = parseHolder(found)
    if (holder && (await isAlive(holder))) throw new FolderInUseError(path, holder.pid)
    await moveAside(path, found)
  }
  throw new Error(`The lock file ${path} changes all the time; several processes are starting at once.`)
}

export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError'

  constructor(path: string, pid: number) {
    super(`The data folder is in use by process ${pid} (lock file ${path}). Stop it, or set another DATA_DIR.`)
  }
}

const holderSchema = z.object({ pid: z.int().positive(), startedAt: z.string().nullable(), token: z.string() })
type Holder = z.infer<typeof holderSchema>

/** Linking a finished file either fails or shows the whole content: nobody reads half a lock. */
async function createExclusively(path: string, content: string): Promise<boolean> {
  const draft = `${path}.${randomUUID()}`
  await writeFile(draft, content)
  try {
    await link(draft, path)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  } finally {
    await rm(draft, { force: true })
  }
}

/** Moves the stale lock away. If another process was quicker, what was moved is its new lock: put it back. */
async function moveAside(path: string, stale: string): Promise<void> {
  const aside = `${path}.${randomUUID()}`
  try {
    await rename(path, aside)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return
    throw error
  }
  if ((await readText(aside)) !== stale) await link(aside, path).catch(() => {})
  await rm(aside, { force: true })
}

async function release(path: string, mine: Holder): Promise<void> {
  const text = await readText(path)
  if (text !== null && parseHolder(text)?.token === mine.token) await rm(path, { force: true })
}

/** A process with this id may be another program by now; so its start is compared, where the system has it. */
async function isAlive(holder: Holder): Promise<boolean> {
  try {
    process.kill(holder.pid, 0)
  } catch (error) {
    if (codeOf(error) !== 'EPERM') return false
  }
  const startedAt = await processStart(holder.pid)
  return holder.startedAt === null || startedAt === null || holder.startedAt === startedAt
}

/** Field 22 of /proc/<pid>/stat; counted from behind the name, which may hold spaces and brackets. Null elsewhere. */
async function processStart(pid: number): Promise<string | null> {
  const stat = await readText(`/proc/${pid}/stat`)
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null
}

function parseHolder(text: string): Holder | null {
  try {
    return holderSchema.parse(JSON.parse(text))
  } catch {
    return null
  }
}

async function readText(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch(() => null)
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
