import 'server-only'
import { randomBytes } from 'node:crypto'
import { readdir, unlink } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { basename, dirname, join, relative } from 'node:path'
import { setTimeout } from 'node:timers/promises'

/** Several that begin at one moment see each other and all step back; after different pauses one is alone. */
const TRIES = 5
const PAUSE_MS = 100

/**
 * A socket beside the lock file, on which its holder listens: the kernel refuses whoever knocks at that of a process that is gone.
 * All versions of Node have it, and across containers it counts as files do. Answers what lets go; null while another holds it.
 * Rejects where the file system has no sockets, or the path is too long for one.
 */
export async function holdSocket(path: string): Promise<(() => Promise<void>) | null> {
  for (let left = TRIES; left > 0; left -= 1) {
    const name = `${basename(path)}.${randomBytes(4).toString('hex')}.sock`
    const release = await listen(join(dirname(path), name))
    if (await isAlone(path, name)) return release
    await release()
    if (left > 1) await setTimeout(PAUSE_MS * Math.random())
  }
  return null
}

/** Of two that look after they listen, at least one sees the other. */
async function isAlone(path: string, own: string): Promise<boolean> {
  const [folder, begin] = [dirname(path), `${basename(path)}.`]
  for (const name of await readdir(folder)) {
    if (name === own || !name.startsWith(begin) || !name.endsWith('.sock')) continue
    if (await isHeard(join(folder, name))) return false
    // Every holder's name is its own, so that nobody's is taken away but that of one who is gone.
    await unlink(join(folder, name)).catch(() => {})
  }
  return true
}

function isHeard(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(shortest(path))
    socket.once('connect', () => resolve(true))
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(!GONE.has(error.code ?? '')))
    socket.once('connect', () => socket.destroy())
  })
}

const GONE = new Set(['ECONNREFUSED', 'ENOENT'])

function listen(path: string): Promise<() => Promise<void>> {
  const server = createServer((knocking) => knocking.destroy()).unref()
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()))
  return new Promise((resolve, reject) => {
    if (Buffer.byteLength(shortest(path)) > LONGEST)
      throw Object.assign(new Error('no room for a socket'), { code: 'ENAMETOOLONG' })
    server.once('error', reject)
    server.listen(shortest(path), () => resolve(close))
  })
}

/** Of `sun_path`, on the system that has the least room (unix(4) of macOS). */
const LONGEST = 103

function shortest(path: string): string {
  const fromHere = relative('', path)
  return fromHere.length < path.length ? fromHere : path
}
